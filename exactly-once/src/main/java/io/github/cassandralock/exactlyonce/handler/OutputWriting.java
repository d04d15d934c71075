package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.copy.Branches;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * Writes the outputs that the state has decided (docs/exactly-once.md, section 3): PREPARING and WRITING for each, SoleWriting for
 * all outputs to queues whose only producer is the handler. Used by one thread, which has others write queues at the same time.
 */
final class OutputWriting {

    private static final Progress NONE = new Progress(-1, Set.of());

    private final HandlerDefinition<?> definition;
    private final StateRegister<?> register;
    private final HandlerListener listener;
    private final Marks marks;
    private final Branches branches;

    private Progress progress = NONE;

    /** This copy has found outputs at these positions written, in a SoleWriting state of a version. */
    private record Progress(long version, Set<Integer> written) {}

    OutputWriting(
            HandlerDefinition<?> definition,
            StateRegister<?> register,
            HandlerListener listener,
            Marks marks,
            Branches branches) {
        this.definition = definition;
        this.register = register;
        this.listener = listener;
        this.marks = marks;
        this.branches = branches;
    }

    // PREPARING

    Snapshot prepare(Snapshot seen, Phase.Preparing preparing) throws InterruptedException {
        Output output = preparing.outputs().get(preparing.position());
        long index = definition.output(output.queue()).readNextIndex();
        return changed(seen, new Phase.Writing(preparing.outputs(), preparing.position(), index));
    }

    private Snapshot changed(Snapshot seen, Phase next) throws InterruptedException {
        return register.change(seen, seen.state().with(next)).present();
    }

    // WRITING

    Snapshot write(Snapshot seen, Phase.Writing writing) throws InterruptedException {
        Output output = writing.outputs().get(writing.position());
        PushAnswer answer = isThere(seen, output, writing.index())
                ? new PushAnswer.Pushed()
                : definition.output(output.queue()).pushAt(writing.index(), messageOf(output));
        if (answer instanceof PushAnswer.RingFull full) {
            return waitForRing(seen, output, full);
        }
        listener.onRingFreed(definition.name, output.queue());
        Phase next = answer instanceof PushAnswer.Pushed
                ? Phase.ofOutputs(writing.outputs(), writing.position() + 1)
                : new Phase.Preparing(writing.outputs(), writing.position());
        return changed(seen, next);
    }

    // SoleWriting

    /** Whether this copy has found all outputs of this SoleWriting written, so that HANDLING follows. */
    boolean isWritten(Snapshot seen, Phase.SoleWriting writing) {
        return missing(seen, writing).isEmpty();
    }

    /** A full cell is final, so this copy does not repeat what it pushed before it waited for a ring. */
    private List<Integer> missing(Snapshot seen, Phase.SoleWriting writing) {
        Set<Integer> written = written(seen);
        return IntStream.range(writing.position(), writing.outputs().size())
                .boxed()
                .filter(position -> !written.contains(position))
                .toList();
    }

    /** Writes the queues of a sole producer at the same time, since each queue has an order of its own. */
    Snapshot writeAsSoleProducer(Snapshot seen, Phase.SoleWriting writing) throws InterruptedException {
        List<Branch> queues = branches(seen, writing);
        if (queues.size() > 1) {
            writeTogether(queues);
        } else {
            queues.get(0).writeInOrder();
        }
        queues.forEach(queue -> remember(seen, queue.written));
        return afterWriting(seen, writing, queues);
    }

    private void remember(Snapshot seen, List<Integer> positions) {
        if (!positions.isEmpty()) {
            Set<Integer> written = new HashSet<>(written(seen));
            written.addAll(positions);
            progress = new Progress(seen.version(), written);
            register.resetPauses();
        }
    }

    private Set<Integer> written(Snapshot seen) {
        return progress.version() == seen.version() ? progress.written() : Set.of();
    }

    /**
     * Returns one branch for each queue, or a single branch if one of the queues is no longer exclusive. The outputs of such a
     * queue have become ordinary ones. They may have to follow outputs of another queue in the state.
     */
    private List<Branch> branches(Snapshot seen, Phase.SoleWriting writing) {
        Map<String, List<Integer>> positions = new LinkedHashMap<>();
        boolean together = writing.outputs().stream()
                .skip(writing.position())
                .allMatch(output -> definition.soleProducerOf.contains(output.queue()));
        for (int position : missing(seen, writing)) {
            String queue = together ? writing.outputs().get(position).queue() : "";
            positions.computeIfAbsent(queue, name -> new ArrayList<>()).add(position);
        }
        return positions.values().stream()
                .map(some -> new Branch(seen, writing.outputs(), some))
                .toList();
    }

    private void writeTogether(List<Branch> queues) throws InterruptedException {
        try {
            branches.run(queues.stream().map(Branch::asTask).toList());
        } catch (InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("Outputs of handler " + definition.name + " were not written", e);
        }
    }

    private Snapshot afterWriting(Snapshot seen, Phase.SoleWriting writing, List<Branch> queues)
            throws InterruptedException {
        queues.stream()
                .flatMap(queue -> queue.written.stream())
                .map(position -> writing.outputs().get(position).queue())
                .distinct()
                .forEach(queue -> listener.onRingFreed(definition.name, queue));
        for (Branch queue : queues) {
            if (queue.answer instanceof PushAnswer.Taken) {
                int position = queue.position();
                requireOrdinary(writing.outputs().get(position));
                return changed(seen, Phase.ofOrdinaryOutputs(writing.outputs(), position));
            }
        }
        for (Branch queue : queues) {
            if (queue.answer instanceof PushAnswer.RingFull full) {
                return waitForRing(seen, writing.outputs().get(queue.position()), full);
            }
        }
        return seen;
    }

    /** Outputs that are written one after the other, by one thread, up to the first that is not pushed. */
    private final class Branch {

        private final Snapshot seen;
        private final List<Output> outputs;
        private final List<Integer> positions;
        private final List<Integer> written = new ArrayList<>();
        private PushAnswer answer = new PushAnswer.Pushed();

        Branch(Snapshot seen, List<Output> outputs, List<Integer> positions) {
            this.seen = seen;
            this.outputs = outputs;
            this.positions = positions;
        }

        Callable<?> asTask() {
            return () -> {
                writeInOrder();
                return this;
            };
        }

        void writeInOrder() throws InterruptedException {
            for (int position : positions) {
                Output output = outputs.get(position);
                answer = isThere(seen, output, output.sequence())
                        ? new PushAnswer.Pushed()
                        : definition.output(output.queue()).pushAsSoleProducer(messageOf(output));
                if (!(answer instanceof PushAnswer.Pushed)) {
                    return;
                }
                written.add(position);
            }
        }

        /** Of the output that was not pushed. */
        int position() {
            return positions.get(written.size());
        }
    }

    /** An exclusive output that has become an ordinary one goes behind the messages of other producers. */
    private void requireOrdinary(Output output) {
        if (definition.soleProducerOf.contains(output.queue())) {
            throw TwoProducersException.ofHandler(definition.name, output.queue(), output.sequence());
        }
    }

    private Snapshot waitForRing(Snapshot seen, Output output, PushAnswer.RingFull full) throws InterruptedException {
        listener.onRingFull(definition.name, output.queue(), full.slowest());
        marks.raiseAll(seen);
        return register.afterIdlePause(seen);
    }

    /** Another copy has probably pushed what it decided. A read costs less than a compare-and-set, and a full cell is final. */
    private boolean isThere(Snapshot seen, Output output, long index) throws InterruptedException {
        return !register.isOwn(seen)
                && definition.output(output.queue()).read(index) instanceof Cell.Full full
                && full.message().id().equals(messageOf(output).id());
    }

    Message messageOf(Output output) {
        return new Message(MessageId.of(definition.name, output.sequence()), output.payloads());
    }
}
