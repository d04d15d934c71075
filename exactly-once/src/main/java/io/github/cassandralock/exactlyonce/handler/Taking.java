package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The messages that a step takes (docs/exactly-once.md, section 3, HANDLING), and the positions of the inputs after it. */
final class Taking {

    final List<Input> inputs = new ArrayList<>();
    final SortedMap<String, InputPosition> after;
    final List<SequenceViolation> violations = new ArrayList<>();

    /** A busy handler looks for parked messages that were sent again after this many steps. */
    private static final int STEPS_BETWEEN_LOOKS = 16;

    private final HandlerDefinition<?> definition;
    private final boolean alone;
    private final long step;
    private boolean gone;

    /**
     * Reads the input queues.
     *
     * @param seen has the positions
     * @param alone whether to take only one message. Then absence is confirmed: copies that fail with different messages park none
     * @param againFirst whether that is one that was sent again, if there is any
     * @throws SequenceViolationException if a message does not follow the last one of its producer, and the definition requires a
     *     stop
     */
    static Taking read(HandlerDefinition<?> definition, Snapshot seen, boolean alone, boolean againFirst)
            throws InterruptedException {
        Taking taking = new Taking(definition, seen, alone);
        if (alone) {
            if (againFirst) {
                taking.take(definition.again.orElseThrow().getName(), 1);
            }
            taking.takeOne();
        } else {
            taking.takeAll();
        }
        return taking;
    }

    private Taking(HandlerDefinition<?> definition, Snapshot seen, boolean alone) {
        this.definition = definition;
        this.alone = alone;
        after = new TreeMap<>(seen.state().inputs());
        step = seen.state().step();
    }

    private void takeAll() throws InterruptedException {
        Optional<String> again = definition.again.map(MessageQueue::getName);
        boolean looks = step % STEPS_BETWEEN_LOOKS == 0;
        for (String queue : new TreeSet<>(definition.inputs.keySet())) {
            if (looks || !again.equals(Optional.of(queue))) {
                take(queue, definition.maxInputs);
            }
        }
        if (!looks && inputs.isEmpty() && again.isPresent()) {
            take(again.get(), definition.maxInputs);
        }
    }

    private void takeOne() throws InterruptedException {
        for (String queue : inTurn()) {
            if (inputs.isEmpty()) {
                take(queue, 1);
            }
        }
    }

    /**
     * The queues, rotated by the number of messages taken. Otherwise a failing message would not be tried alone while an earlier
     * queue has messages. All copies with one state begin with the same queue, so they agree on the message that fails.
     */
    private List<String> inTurn() {
        List<String> queues = new ArrayList<>(new TreeSet<>(definition.inputs.keySet()));
        long taken = queues.stream()
                .mapToLong(queue -> HandlerState.position(after, queue).index())
                .sum();
        Collections.rotate(queues, -Math.floorMod(taken, queues.size()));
        return queues;
    }

    /** A reader never goes past an absent cell. */
    private void take(String queue, int most) throws InterruptedException {
        for (int taken = 0; taken < most; taken++) {
            InputPosition position = HandlerState.position(after, queue);
            Cell cell = cell(definition.input(queue), position.index());
            if (cell instanceof Cell.Full full) {
                take(queue, position, full.message());
            } else {
                gone |= cell instanceof Cell.Gone;
                return;
            }
        }
    }

    private Cell cell(MessageQueue queue, long index) throws InterruptedException {
        return alone ? queue.readConfirmed(index) : queue.read(index);
    }

    /** Whether a cell was gone. Then nothing must be decided. */
    boolean isGone() {
        return gone;
    }

    private void take(String queue, InputPosition position, Message message) {
        position.check().violation(queue, position.index(), message.id()).ifPresent(this::violated);
        inputs.add(new Input(queue, position.index(), message));
        after.put(queue, position.after(message.id(), definition.input(queue).getMaxProducers()));
    }

    private void violated(SequenceViolation violation) {
        if (definition.onViolation == HandlerDefinition.OnViolation.STOP) {
            throw new SequenceViolationException(violation);
        }
        violations.add(violation);
    }
}
