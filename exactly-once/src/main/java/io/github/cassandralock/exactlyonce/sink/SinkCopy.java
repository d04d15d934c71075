package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.Listeners;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.ConsumerMark;
import io.github.cassandralock.exactlyonce.queue.ConsumerStart;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.queue.SequenceCheck;
import io.github.cassandralock.exactlyonce.queue.SequenceViolation;
import io.github.cassandralock.exactlyonce.queue.UnknownConsumerException;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One copy of a transactional sink, which takes the messages of a queue (docs/exactly-once.md, section 4). Each message takes
 * effect once. Thread-safe.
 */
public final class SinkCopy extends Copy<SinkListener> {

    private static final Logger log = LoggerFactory.getLogger(SinkCopy.class);

    /** How many reads may show a position older than the queue's cells, before it counts as the present one. */
    private static final int MOST_OLD_POSITIONS = 100;

    private final String name;
    private final MessageQueue queue;
    private final TransactionalSink sink;
    private final GrowingPauses.Series idlePauses;
    private final GrowingPauses.Series failurePauses;

    /** The highest index that this copy has seen. Used by the copy's thread. */
    private long highestIndex = -1;

    /** How often a request to the sink's store has failed at that index. Used by the copy's thread. */
    private int failures;

    /**
     * Creates a copy that is not started. Does no I/O.
     *
     * @param name of the sink and of its consumer of the queue; equal in all copies
     * @param queue to take messages from
     * @param sink takes them
     * @param pauses how long to wait while there is nothing to take, or the sink's store does not answer
     * @param copyName the name of this copy, for the name of its thread
     * @param listener receives what this copy does
     * @param environment the pauses and the thread
     * @throws IllegalArgumentException if the name is not allowed
     */
    public SinkCopy(
            String name,
            MessageQueue queue,
            TransactionalSink sink,
            GrowingPauses pauses,
            String copyName,
            SinkListener listener,
            CopyEnvironment environment) {
        this(name, queue, sink, pauses, copyName, List.of(listener), environment);
    }

    /**
     * Creates a copy with several listeners that is not started. Does no I/O.
     *
     * @param name of the sink and of its consumer of the queue; equal in all copies
     * @param queue to take messages from
     * @param sink takes them
     * @param pauses how long to wait while there is nothing to take, or the sink's store does not answer
     * @param copyName the name of this copy, for the name of its thread
     * @param listeners receive what this copy does, in this order, even if one of them throws
     * @param environment the pauses and the thread
     * @throws IllegalArgumentException if the name is not allowed
     */
    public SinkCopy(
            String name,
            MessageQueue queue,
            TransactionalSink sink,
            GrowingPauses pauses,
            String copyName,
            List<SinkListener> listeners,
            CopyEnvironment environment) {
        super("sink", Names.checked("sink", name), copyName, listeners, environment);
        this.name = name;
        this.queue = queue;
        this.sink = sink;
        this.idlePauses = pauses.begin(getPauser());
        this.failurePauses = pauses.begin(getPauser());
    }

    @Override
    protected void run() throws InterruptedException {
        Optional<Long> attached = Optional.empty();
        while (attached.isEmpty() && beginStep()) {
            attached = attach();
        }
        if (attached.isPresent()) {
            takeAll(attached.get());
        }
    }

    /**
     * Checks that position and queue name each other, or makes the first position. Neither can therefore continue with a
     * counterpart that was renamed, made again, or restored.
     *
     * @return the mark, below which the position cannot be; empty if the caller must try again
     */
    private Optional<Long> attach() throws InterruptedException {
        Optional<Optional<SinkOrigin>> asked = asked(sink::readOrigin);
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        Optional<SinkOrigin> origin = asked.get();
        if (origin.isPresent() && origin.get().isKnown()) {
            requireThisQueue(origin.get());
            return Optional.of(queue.attachConsumer(name, origin.get().birth()));
        }
        SinkPosition first = origin.isPresent() ? requireRegistered() : firstPosition();
        SinkOrigin born = new SinkOrigin(
                queue.getName(), queue.readBirth(), UUID.randomUUID().toString());
        asked(() -> {
            sink.begin(born, first);
            return born;
        });
        return Optional.empty();
    }

    private void requireThisQueue(SinkOrigin origin) throws InterruptedException {
        if (!origin.queue().equals(queue.getName())) {
            throw new MismatchedStoresException("Sink " + name + " counts the messages of queue " + origin.queue()
                    + ", but this program gives it queue " + queue.getName()
                    + ". Give it queue " + origin.queue()
                    + " until all its messages are taken; for queue " + queue.getName()
                    + ", use a sink with a new name");
        }
        if (!origin.queueBirth().equals(queue.readBirth())) {
            throw new MismatchedStoresException("Sink " + name + " counts the messages of an earlier queue "
                    + queue.getName()
                    + ", not of this queue. The registers of the earlier queue were deleted, or are in another store,"
                    + " keyspace, table or prefix. Use those registers again; for this queue, use a sink with a new"
                    + " name");
        }
    }

    /**
     * A position of an older version of the program has no origin. It counts this queue only if the sink is registered there.
     */
    private SinkPosition requireRegistered() throws InterruptedException {
        queue.raiseMark(name, 0);
        return new SinkPosition(0, SequenceCheck.none());
    }

    private SinkPosition firstPosition() throws InterruptedException {
        ConsumerStart start = queue.addConsumer(name);
        return new SinkPosition(start.index(), start.check());
    }

    private void takeAll(long markAtStart) throws InterruptedException {
        ConsumerMark mark = new ConsumerMark(queue, name);
        boolean reached = false;
        int olds = 0;
        Optional<SinkPosition> committed = Optional.empty();
        while (beginStep()) {
            Optional<SinkPosition> known = committed.isPresent() ? committed : asked(sink::readPosition);
            if (known.isEmpty()) {
                continue;
            }
            SinkPosition position = known.get();
            if (position.index() < markAtStart) {
                olds++;
                requireNotRestored(position, olds);
                idlePauses.pause();
                continue;
            }
            if (!reached) {
                queue.requireReached(name, position.index());
                reached = true;
            }
            seen(position.index());
            mark.raiseIfFarBehind(position.index());
            Cell cell = queue.read(position.index());
            olds = cell instanceof Cell.Gone ? olds + 1 : 0;
            if (cell instanceof Cell.Full full) {
                committed = take(position, full.message());
            } else {
                committed = Optional.empty();
                idle(mark, position, olds);
            }
        }
    }

    /** A committed position is below the mark only if it was read late. */
    private void requireNotRestored(SinkPosition position, int olds) {
        if (olds > MOST_OLD_POSITIONS) {
            throw new MismatchedStoresException("Sink " + name + " stands at index " + position.index() + " of queue "
                    + queue.getName()
                    + ", but the queue shows that it stood beyond. Its store was restored from a backup, or has forgotten"
                    + " what it had committed. Begin again with new names, for the queue too");
        }
    }

    /** If this copy or another has moved the sink on, earlier failures are over. */
    private void seen(long index) {
        if (index > highestIndex) {
            highestIndex = index;
            failures = 0;
            idlePauses.reset();
            failurePauses.reset();
        }
    }

    private interface Request<T> {
        T send() throws InterruptedException;
    }

    /**
     * Empty if the store did not answer, or it is unknown whether it has committed. The caller then reads the position again; the
     * pause is over.
     */
    private <T> Optional<T> asked(Request<T> request) throws InterruptedException {
        try {
            return Optional.of(request.send());
        } catch (RegisterUnavailableException | UnknownOutcomeException e) {
            failures++;
            if (Listeners.isToBeLogged(failures)) {
                log.warn(
                        "The transaction of sink {} failed, attempt {}; it is tried again after a pause",
                        name,
                        failures,
                        e);
            }
            listeners().tell(listener -> listener.onTransactionFailed(name, failures, e));
            failurePauses.pause();
            return Optional.empty();
        }
    }

    /** The position that this copy's transaction has committed. Empty if another copy was faster, or the outcome is unknown. */
    private Optional<SinkPosition> take(SinkPosition position, Message message) throws InterruptedException {
        SinkPosition next = new SinkPosition(
                position.index() + 1, position.check().after(position.index(), message.id(), queue.getMaxProducers()));
        Optional<Boolean> taken = asked(() -> sink.take(position, message, next));
        if (taken.orElse(true)) {
            // A violation is reported twice rather than never.
            position.check()
                    .violation(queue.getName(), position.index(), message.id())
                    .ifPresent(this::violated);
        }
        taken.ifPresent(committed -> listeners()
                .tell(
                        committed
                                ? listener -> listener.onTaken(name, position.index())
                                : listener -> listener.onRefused(name)));
        return taken.filter(committed -> committed).map(committed -> next);
    }

    private void violated(SequenceViolation violation) {
        log.error("Sink {}: {}", name, violation);
        listeners().tell(listener -> listener.onSequenceViolated(name, violation));
    }

    private void idle(ConsumerMark mark, SinkPosition committed, int olds) throws InterruptedException {
        if (olds > MOST_OLD_POSITIONS) {
            mark.raise(committed.index()); // throws another exception if the sink was removed from the queue
            throw new UnknownConsumerException("Sink " + name + " stands at index " + committed.index() + " of queue "
                    + queue.getName()
                    + ", which was cleaned. The sink's store was restored from a backup, or the sink was registered too"
                    + " late. Messages are lost to it; begin again under a new name");
        }
        listeners().tell(listener -> listener.onIdle(name));
        failures = 0;
        failurePauses.reset();
        mark.raiseIfHigher(committed.index());
        idlePauses.pause();
    }
}
