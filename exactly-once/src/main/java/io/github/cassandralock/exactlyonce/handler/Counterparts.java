package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.ConsumerStart;
import io.github.cassandralock.exactlyonce.queue.LowWater;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queues and sinks whose indexes, sequences and effects a handler's state counts (docs/exactly-once.md, section 3). State and
 * counterparts name each other by their births. Neither can therefore continue with a counterpart that was renamed, made again or
 * restored. Used by one thread.
 */
final class Counterparts {

    private static final Logger log = LoggerFactory.getLogger(Counterparts.class);

    private static final String INPUT = "input queue ";
    private static final String OUTPUT = "output queue ";
    private static final String SINK = "sink ";

    /** How many messages of others are looked through for the last own one in an output. */
    private static final int MOST_LOOKED_BACK = 1_024;

    /** How often a low-water record is read that is certainly old. */
    private static final int MOST_OLD_READS = 100;

    private final HandlerDefinition<?> definition;

    /** The births of the queues and sinks in the definition, read once because a birth is final. */
    private final SortedMap<String, String> births = new TreeMap<>();

    private boolean attached;

    Counterparts(HandlerDefinition<?> definition) {
        this.definition = definition;
    }

    static String newBirth() {
        return UUID.randomUUID().toString();
    }

    /** Whether the state and its counterparts name each other, so that nothing is left to be done. */
    boolean areAttached() {
        return attached;
    }

    SortedMap<String, String> births() throws InterruptedException {
        if (births.isEmpty()) {
            SortedMap<String, String> read = new TreeMap<>();
            for (MessageQueue queue : definition.inputs.values()) {
                read.put(INPUT + queue.getName(), queue.readBirth());
            }
            for (MessageQueue queue : definition.outputs.values()) {
                read.put(OUTPUT + queue.getName(), queue.readBirth());
            }
            for (RegisterSink sink : definition.effects.values()) {
                read.put(SINK + sink.getName(), sink.readBirth());
            }
            births.putAll(read);
        }
        return births;
    }

    /**
     * Registers this handler as a consumer. The mark of one that has no state yet stands where it was set.
     *
     * @throws TwoProducersException if an exclusive output belongs to another producer; then nothing was registered
     */
    SortedMap<String, InputPosition> startsOf(Collection<String> queues) throws InterruptedException {
        requireSoleProducer();
        SortedMap<String, InputPosition> starts = new TreeMap<>();
        for (String queue : new TreeSet<>(queues)) {
            ConsumerStart start = definition.input(queue).addConsumer(definition.name);
            starts.put(queue, new InputPosition(start.index(), start.check()));
        }
        return starts;
    }

    /**
     * A handler that took messages first would stop with outputs that it cannot push. It would then hold the rings of its inputs.
     */
    private void requireSoleProducer() throws InterruptedException {
        for (String name : definition.soleProducerOf) {
            Optional<Last> last = lastIn(definition.output(name));
            if (last.isPresent() && !isOfSoleProducer(last.get())) {
                throw TwoProducersException.ofHandler(
                        definition.name, name, last.get().index());
            }
        }
    }

    /**
     * The state with what this definition adds to it: input queues that it did not have, and births. It has no producers of queues
     * that the definition does not have. It keeps how far these queues were taken, for a later definition that has them again.
     *
     * @throws MismatchedStoresException if the state counts another queue or sink with the same name
     */
    HandlerState joined(HandlerState state) throws InterruptedException {
        requireSame(state);
        if (state.birth().isEmpty()) {
            requireOwnOfOlderVersion(state);
        }
        List<String> unknown = definition.inputs.keySet().stream()
                .filter(queue -> !state.inputs().containsKey(queue))
                .toList();
        String own = state.birth().isEmpty() ? newBirth() : state.birth();
        return state.forgettingProducersExceptOf(definition.inputs.keySet())
                .withInputs(startsOf(unknown))
                .withBirths(own, births());
    }

    private void requireSame(HandlerState state) throws InterruptedException {
        for (Map.Entry<String, String> present : births().entrySet()) {
            String counted = state.births().getOrDefault(present.getKey(), present.getValue());
            if (!counted.equals(present.getValue())) {
                throw new MismatchedStoresException("The state of handler " + definition.name + " counts another "
                        + present.getKey()
                        + ", which was made earlier. Its registers were deleted, or are in another store, keyspace,"
                        + " table or prefix. Use those registers again; or begin under a new name of the handler");
            }
        }
    }

    /** A state without births counts these queues only if the handler is registered at them, and its outputs are there. */
    private void requireOwnOfOlderVersion(HandlerState state) throws InterruptedException {
        for (MessageQueue queue : definition.inputs.values()) {
            if (state.inputs().containsKey(queue.getName())) {
                queue.raiseMark(definition.name, 0);
            }
        }
        for (MessageQueue queue : definition.outputs.values()) {
            if (isWritten(state, queue.getName()) && queue.readNextIndex() == 0) {
                throw new MismatchedStoresException(
                        "Handler " + definition.name + " has pushed messages to output queue " + queue.getName()
                                + ", which is empty. Its registers were deleted, or are in another store, keyspace,"
                                + " table or prefix. Use those registers again; or begin under a new name of the"
                                + " handler");
            }
        }
    }

    /** Whether a message was pushed to the queue, apart from the outputs that are being written. */
    private static boolean isWritten(HandlerState state, String queue) {
        return state.sequences().getOrDefault(queue, 0L) > 0
                && !state.phase().queues().contains(queue);
    }

    /**
     * Stores in each queue whose state this is.
     *
     * @return whether the state is older than what its queues show of it. It was then read late, or was restored from a backup
     * @throws MismatchedStoresException if a queue has recorded another state of this handler, or has less than the state has
     *     taken
     */
    boolean attach(HandlerState state) throws InterruptedException {
        boolean old = false;
        for (MessageQueue queue : definition.inputs.values()) {
            long index = state.input(queue.getName()).index();
            old |= queue.attachConsumer(definition.name, state.birth()) > index;
            queue.requireReached(definition.name, index);
        }
        for (MessageQueue queue : definition.outputs.values()) {
            queue.attachProducer(definition.name, state.birth());
            old |= isBeforeLastOf(queue, state);
        }
        if (!old) {
            attached = true;
            warnOfThoseNotConfigured(state);
        }
        return old;
    }

    /** A message that this state has not decided, or is about to write elsewhere, is of a later state. */
    private boolean isBeforeLastOf(MessageQueue output, HandlerState state) throws InterruptedException {
        return lastOwnIn(output)
                .filter(last ->
                        !state.mayHaveWritten(output.getName(), last.id().sequence(), last.index()))
                .isPresent();
    }

    /** An own message at the index that is its sequence has only own messages before it. */
    private boolean isOfSoleProducer(Last last) {
        return isOwn(last) && last.id().sequence() == last.index();
    }

    private boolean isOwn(Last last) {
        return last.id().producer().equals(definition.name);
    }

    /** A message of an output. */
    private record Last(MessageId id, long index) {}

    /** The end is confirmed, because an old read would hide the message that shows another producer or a later state. */
    private static long endOf(MessageQueue output) throws InterruptedException {
        long next = output.readNextIndex();
        while (!(output.readConfirmed(next) instanceof Cell.Absent)) {
            next = Math.max(next + 1, output.readNextIndex());
        }
        return next;
    }

    private static Optional<Last> lastIn(MessageQueue output) throws InterruptedException {
        return lastAt(output, endOf(output) - 1);
    }

    /** Empty if there is no message, or its cell was used again. */
    private static Optional<Last> lastAt(MessageQueue output, long index) throws InterruptedException {
        return index >= 0 && output.readConfirmed(index) instanceof Cell.Full full
                ? Optional.of(new Last(full.message().id(), index))
                : Optional.empty();
    }

    /**
     * The last message of this handler in an output, which others may have pushed to since. The low-water record has it if its cell
     * was used again.
     */
    private Optional<Last> lastOwnIn(MessageQueue output) throws InterruptedException {
        long end = endOf(output);
        for (long index = end - 1; index >= Math.max(0, end - MOST_LOOKED_BACK); index--) {
            Optional<Last> there = lastAt(output, index);
            if (there.isEmpty()) {
                return lastRemembered(output, index);
            }
            if (isOwn(there.get())) {
                return there;
            }
        }
        return end == 0 ? Optional.empty() : lastRemembered(output, -1);
    }

    /**
     * The last message of this handler that the low-water record has.
     *
     * @param gone an index whose cell was used again, so that a record which does not cover it is old
     */
    private Optional<Last> lastRemembered(MessageQueue output, long gone) throws InterruptedException {
        LowWater record = output.readLowWater();
        for (int read = 1; record.index() <= gone && read < MOST_OLD_READS; read++) {
            record = output.readLowWater();
        }
        return Optional.ofNullable(record.check().last().get(definition.name))
                .map(known -> new Last(MessageId.of(definition.name, known.sequence()), known.index()));
    }

    private void warnOfThoseNotConfigured(HandlerState state) {
        for (String counted : state.births().keySet()) {
            if (!births.containsKey(counted)) {
                log.warn(
                        "Handler {} was used with {}, which this copy is not configured with. If the name was changed,"
                                + " the handler does not take what waits there. A queue holds its messages for the"
                                + " handler until removeConsumer. Configure it again until it is empty",
                        definition.name,
                        counted);
            }
        }
    }

    MismatchedStoresException restored(HandlerState state) {
        return new MismatchedStoresException("The state of handler " + definition.name + " stands at " + state.inputs()
                + ", but its queues show that it stood beyond. The state was restored from a backup, or its store has"
                + " forgotten what it had acknowledged. Begin again with new names for the handler and its output"
                + " queues");
    }
}
