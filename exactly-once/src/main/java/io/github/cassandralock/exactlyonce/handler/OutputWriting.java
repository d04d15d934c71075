package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.OvertakenException;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import java.util.List;

/**
 * Writes the outputs that the state has decided (docs/exactly-once.md, section 3): PREPARING and WRITING for each, SoleWriting for
 * all outputs to queues whose only producer is the handler. Used by one thread.
 */
final class OutputWriting {

    private static final Progress NONE = new Progress(-1, 0);

    private final HandlerDefinition<?> definition;
    private final StateRegister<?> register;
    private final HandlerListener listener;
    private final Marks marks;

    private Progress progress = NONE;

    /** This copy has found all outputs before a position written, in a SoleWriting state of a version. */
    private record Progress(long version, int position) {}

    OutputWriting(HandlerDefinition<?> definition, StateRegister<?> register, HandlerListener listener, Marks marks) {
        this.definition = definition;
        this.register = register;
        this.listener = listener;
        this.marks = marks;
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
        try {
            return writeOne(seen, writing);
        } catch (OvertakenException e) {
            return afterOvertaken(seen, e);
        }
    }

    /** It is unknown whether the message was there: the state is old, or all copies stood still for long. */
    private Snapshot afterOvertaken(Snapshot seen, OvertakenException cause) throws InterruptedException {
        return register.changedSince(seen).orElseThrow(() -> cause);
    }

    private Snapshot writeOne(Snapshot seen, Phase.Writing writing) throws InterruptedException {
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
        return position(seen, writing) == writing.outputs().size();
    }

    /** A full cell is final, so this copy does not repeat what it pushed before it waited for a ring. */
    private int position(Snapshot seen, Phase.SoleWriting writing) {
        return progress.version() == seen.version() ? progress.position() : writing.position();
    }

    Snapshot writeAsSoleProducer(Snapshot seen, Phase.SoleWriting writing) throws InterruptedException {
        try {
            return writeAll(seen, writing);
        } catch (OvertakenException e) {
            return afterOvertaken(seen, e);
        }
    }

    private Snapshot writeAll(Snapshot seen, Phase.SoleWriting writing) throws InterruptedException {
        List<Output> outputs = writing.outputs();
        for (int position = position(seen, writing); position < outputs.size(); position++) {
            Output output = outputs.get(position);
            PushAnswer answer = isThere(seen, output, output.sequence())
                    ? new PushAnswer.Pushed()
                    : definition.output(output.queue()).pushAsSoleProducer(messageOf(output));
            if (answer instanceof PushAnswer.RingFull full) {
                return waitForRing(seen, output, full);
            }
            if (answer instanceof PushAnswer.Taken) {
                throw TwoProducersException.ofHandler(definition.name, output.queue(), output.sequence());
            }
            listener.onRingFreed(definition.name, output.queue());
            register.resetPauses();
            progress = new Progress(seen.version(), position + 1);
        }
        return seen;
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
