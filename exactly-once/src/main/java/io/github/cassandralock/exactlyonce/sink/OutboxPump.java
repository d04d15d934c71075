package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.Listeners;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.LowWater;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.MismatchedStoresException;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One copy of a pump from an outbox to a queue whose only producer it is. The pump needs no state, since row {@code n} becomes
 * the message with sequence {@code n} at index {@code n}. The first absent cell shows where it continues, and a row that is
 * pushed again changes nothing. The outbox stores its queue, since another queue would get all rows from row 0. Any number of
 * copies run at the same time. Rows below the queue's low-water mark may be deleted. Thread-safe.
 */
public final class OutboxPump extends Copy<PumpListener> {

    private static final Logger log = LoggerFactory.getLogger(OutboxPump.class);

    /** A row that should exist counts as deleted after this many reads without it. */
    private static final int MOST_OLD_READS = 10;

    /** After this many reads without a row, the pump checks the outbox. */
    private static final int MISSES_BETWEEN_CHECKS = 32;

    /** After this many attempts without a sink, the pump reports that. A normal start needs fewer. */
    private static final int WAITS_FOR_SINK = 20;

    private static final String RESTORED =
            ": its store was restored from a backup, or has forgotten what it had committed. Begin again with new names for the"
                    + " sink, the pump and the queue";

    /** For an outbox whose rows are in a queue that has messages of others. */
    private static final String BEGIN_AGAIN =
            "Begin again with new names for the sink, the pump and the queue. Rows of the former outbox that are not in"
                    + " the queue stay in its table. Push them from there by an importer with a queue of its own";

    private final String name;
    private final Outbox outbox;
    private final MessageQueue queue;
    private final GrowingPauses.Series pauses;

    /** How often the outbox did not answer since its last answer. Used by the copy's thread. */
    private int failures;

    /** How often no sink had begun to write the outbox. Used by the copy's thread. */
    private int waitsForSink;

    /** Used by the copy's thread. */
    private boolean ringIsFull;

    /** How often a row did not exist. Used by the copy's thread. */
    private long misses;

    /**
     * Creates a copy that is not started. Does no I/O.
     *
     * @param name of the pump, which is the name of the queue's producer; equal in all copies
     * @param outbox to read rows from
     * @param queue to push them to; nobody else pushes to it
     * @param pauses how long to wait while there is no row, the ring is full, or the outbox does not answer
     * @param copyName the name of this copy, for the name of its thread
     * @param listener receives what this copy does
     * @param environment the pauses and the thread
     * @throws IllegalArgumentException if the name is not allowed
     */
    public OutboxPump(
            String name,
            Outbox outbox,
            MessageQueue queue,
            GrowingPauses pauses,
            String copyName,
            PumpListener listener,
            CopyEnvironment environment) {
        super("pump", Names.checked("pump", name), copyName, List.of(listener), environment);
        this.name = name;
        this.outbox = outbox;
        this.queue = queue;
        this.pauses = pauses.begin(getPauser());
    }

    @Override
    protected void run() throws InterruptedException {
        while (beginStep() && !isAttached()) {
            pauses.pause();
        }
        pauses.reset();
        long number = firstRowNotPushed();
        while (beginStep()) {
            if (pump(number)) {
                pauses.reset();
                number++;
            } else {
                pauses.pause();
                number = firstRowNotPushed();
            }
        }
    }

    /**
     * Checks that outbox and queue name each other, or binds an outbox without a target. Neither can therefore continue
     * with a counterpart that was renamed, made again, or restored.
     */
    private boolean isAttached() throws InterruptedException {
        // Read before the outbox: the outbox then shows every row that a copy has pushed.
        Pushed pushed = new Pushed(queue.readBirthOfProducer(name).isPresent(), queue.readNextIndex());
        try {
            Optional<OutboxOrigin> origin = outbox.readOrigin();
            if (origin.isPresent() && origin.get().target().isEmpty()) {
                requireNotPumped(origin.get(), pushed);
                outbox.sendTo(new OutboxTarget(
                        name,
                        queue.getName(),
                        queue.readBirth(),
                        UUID.randomUUID().toString()));
                origin = outbox.readOrigin();
            }
            failures = 0;
            if (origin.isEmpty()) {
                waitForSink();
            }
            if (origin.flatMap(OutboxOrigin::target).isEmpty()) {
                return false;
            }
            OutboxTarget target = origin.get().target().orElseThrow();
            requireThisQueue(target);
            queue.attachProducer(name, target.birth());
            requireRowsOf(origin.get(), pushed);
            return true;
        } catch (RegisterUnavailableException | UnknownOutcomeException e) {
            return failed(e);
        }
    }

    private boolean failed(RuntimeException cause) {
        failures++;
        if (Listeners.isToBeLogged(failures)) {
            log.warn("Pump {} cannot read its outbox, attempt {}; it tries again after a pause", name, failures, cause);
        }
        listeners().tell(listener -> listener.onOutboxFailed(name, failures, cause));
        return false;
    }

    private void waitForSink() {
        waitsForSink++;
        if (waitsForSink < WAITS_FOR_SINK) {
            listeners().tell(listener -> listener.onIdle(name));
            return;
        }
        String why = "no sink has begun to write the " + outbox
                + ": start a copy of that sink; if the sink has another name, give the pump that name";
        if (waitsForSink == WAITS_FOR_SINK) {
            log.warn("Pump {} stands by, since {}", name, why);
        }
        listeners().tell(listener -> listener.onStandingBy(name, why));
    }

    /**
     * What the queue shows of this pump.
     *
     * @param attached whether the queue has stored an outbox of this pump
     * @param rows how many messages it has
     */
    private record Pushed(boolean attached, long rows) {}

    /** An outbox that was never pumped begins with row 0 at index 0. */
    private void requireNotPumped(OutboxOrigin origin, Pushed pushed) throws InterruptedException {
        if (pushed.rows() > 0 && isAnothers(pushed.rows() - 1)) {
            boolean begun = origin.mayHaveBeenPumped() && origin.rows() > 0;
            throw anotherProducer(
                    pushed.rows() - 1, begun ? BEGIN_AGAIN : "Give the pump a queue of its own, with a new name");
        }
        boolean pumpedHere = pushed.attached() || pushed.rows() > 0;
        if (origin.mayHaveBeenPumped() && !pushed.attached() && (pumpedHere || origin.rows() == 0)) {
            return; // by an older version of the program, to this queue
        }
        if (pumpedHere) {
            throw new MismatchedStoresException("Pump " + name + " has pushed " + pushed.rows()
                    + " rows of another outbox to queue " + queue.getName()
                    + ". The sink that wrote them has another name, or its store was emptied. Give the pump a queue"
                    + " with a new name");
        }
        if (origin.mayHaveBeenPumped()) {
            throw new MismatchedStoresException("The outbox of pump " + name + " has " + origin.rows()
                    + " rows of an older version of this library. That version did not keep where they were pushed, and"
                    + " queue " + queue.getName()
                    + " has none of them. Give the pump the name and the queue that it had; if the rows were never"
                    + " pushed, set outbox_target of the sink's row to the empty text");
        }
    }

    private void requireThisQueue(OutboxTarget target) throws InterruptedException {
        if (!target.pump().equals(name) || !target.queue().equals(queue.getName())) {
            throw new MismatchedStoresException("The rows of this outbox are pushed by pump " + target.pump()
                    + " to queue " + target.queue() + ". This program gives them to pump " + name + " and queue "
                    + queue.getName() + ", where they would be pushed again from row 0. Configure " + target.pump()
                    + " and " + target.queue()
                    + "; to use a new queue, give the sink a new name, which has an outbox of its own");
        }
        if (!target.queueBirth().equals(queue.readBirth())) {
            throw new MismatchedStoresException("The rows of this outbox were pushed to an earlier queue "
                    + queue.getName()
                    + ", not to this queue. The registers of the earlier queue were deleted, or are in another store,"
                    + " keyspace, table or prefix. Use those registers again; for this queue, give the sink a new name,"
                    + " which has an outbox of its own");
        }
    }

    /** An outbox that was restored from a backup has fewer rows than the queue, or has written other rows since. */
    private void requireRowsOf(OutboxOrigin origin, Pushed pushed) throws InterruptedException {
        long last = pushed.rows() - 1;
        if (pushed.rows() > origin.rows()) {
            requireOwn(last);
            throw new MismatchedStoresException("Queue " + queue.getName() + " has " + pushed.rows()
                    + " rows of the outbox of pump " + name + ", which has had only " + origin.rows() + RESTORED);
        }
        if (last >= 0 && queue.readConfirmed(last) instanceof Cell.Full full && !isRow(last, full.message())) {
            requireOwn(last);
            throw new MismatchedStoresException("Queue " + queue.getName() + " has another message at index " + last
                    + " than row " + last + " of the outbox of pump " + name + RESTORED);
        }
    }

    /** A deleted row cannot be compared. */
    private boolean isRow(long number, Message message) throws InterruptedException {
        Optional<List<byte[]>> row = rowReadOften(number);
        return row.isEmpty()
                || Arrays.deepEquals(row.get().toArray(), message.payloads().toArray());
    }

    /** Empty if none of several reads shows the row. */
    private Optional<List<byte[]>> rowReadOften(long number) throws InterruptedException {
        Optional<List<byte[]>> row = outbox.readRow(number);
        for (int read = 1; row.isEmpty() && read < MOST_OLD_READS; read++) {
            row = outbox.readRow(number);
        }
        return row;
    }

    /** If all cells before the first absent cell are this pump's, that cell belongs to the first unpushed row. */
    private long firstRowNotPushed() throws InterruptedException {
        long index = queue.readNextIndex();
        if (index > 0) {
            requireOwn(index - 1);
        }
        return index;
    }

    private void requireOwn(long index) throws InterruptedException {
        if (isAnothers(index)) {
            throw anotherProducer(index, BEGIN_AGAIN);
        }
    }

    private boolean isAnothers(long index) throws InterruptedException {
        Cell cell = queue.read(index);
        if (cell instanceof Cell.Full full) {
            return !full.message().id().equals(MessageId.of(name, index));
        }
        LowWater record = queue.readLowWater();
        return cell instanceof Cell.Gone
                && record.index() > index
                && record.check().lastOf(name) < index;
    }

    /** @param action what to do. An outbox that has a target is never pumped to another queue */
    private IllegalStateException anotherProducer(long index, String action) {
        return new IllegalStateException(
                "Queue " + queue.getName() + " has another message at index " + index + ", though pump " + name
                        + " is its only producer. Another producer pushes to it, or did before. " + action);
    }

    /** Returns whether the row is in the queue. If not, the copy waits. */
    private boolean pump(long number) throws InterruptedException {
        Optional<List<byte[]>> row;
        try {
            row = outbox.readRow(number);
            if (row.isEmpty()) {
                requireItsOutbox(number);
            }
        } catch (RegisterUnavailableException e) {
            return failed(e);
        }
        failures = 0;
        if (row.isEmpty()) {
            listeners().tell(listener -> listener.onIdle(name));
            return false;
        }
        return isPushed(number, queue.pushAsSoleProducer(new Message(MessageId.of(name, number), row.get())));
    }

    /**
     * Checks the outbox at some of the reads without a row. An outbox that was restored from a backup gets other rows under numbers
     * that were pushed. A row that was deleted before it was pushed never comes back. The pump would wait for it and delay all
     * later rows.
     */
    private void requireItsOutbox(long number) throws InterruptedException {
        misses++;
        if (misses % MISSES_BETWEEN_CHECKS != 0) {
            return;
        }
        Optional<OutboxOrigin> origin = outbox.readOrigin();
        if (origin.isPresent()) {
            requireRowsOf(origin.get(), new Pushed(true, number));
        }
        long rows = origin.map(OutboxOrigin::rows).orElse(0L);
        if (rows > number && rowReadOften(number).isEmpty() && queue.readConfirmed(number) instanceof Cell.Absent) {
            throw new MismatchedStoresException(
                    "Row " + number + " is missing in the " + outbox + ", which has had " + rows + " rows. Pump " + name
                            + " has not pushed the row to queue " + queue.getName()
                            + ". The row was deleted, or the outbox was moved to another table without its rows. Put"
                            + " the rows back; or begin again with new names for the sink, the pump and the queue");
        }
    }

    private boolean isPushed(long number, PushAnswer answer) {
        if (answer instanceof PushAnswer.Taken) {
            throw anotherProducer(number, BEGIN_AGAIN);
        }
        if (answer instanceof PushAnswer.RingFull full) {
            waitForRing(full);
            return false;
        }
        if (ringIsFull) {
            ringIsFull = false;
            listeners().tell(listener -> listener.onRingFreed(name, queue.getName()));
        }
        listeners().tell(listener -> listener.onPushed(name, number));
        return true;
    }

    private void waitForRing(PushAnswer.RingFull full) {
        if (!ringIsFull) {
            ringIsFull = true;
            log.warn("Pump {} waits, since {}", name, full.explained(queue.getName()));
        }
        listeners().tell(listener -> listener.onRingFull(name, queue.getName(), full.slowest()));
    }
}
