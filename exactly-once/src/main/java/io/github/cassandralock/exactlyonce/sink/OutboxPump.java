package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.LowWater;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.Names;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One copy of a pump from an outbox to a queue whose only producer it is: row {@code n} becomes the message with sequence
 * {@code n} at index {@code n}. So it needs no state: the first absent cell says where it stands, and pushing a row again changes
 * nothing. Any number of copies run at the same time. Rows below the queue's low-water mark are not read again and may be deleted.
 * Thread-safe.
 */
public final class OutboxPump extends Copy {

    private final String name;
    private final Outbox outbox;
    private final MessageQueue queue;
    private final PumpListener listener;
    private final GrowingPauses.Series pauses;

    /** How often the outbox did not answer since it last did. Used by the copy's thread. */
    private int failures;

    /**
     * A copy that is not started. Does no I/O.
     *
     * @param name of the pump, which is the name of the queue's producer; the same for all copies
     * @param outbox to read rows from
     * @param queue to push them to; nobody else pushes to it
     * @param pauses how long to wait while there is no row, the ring is full, or the outbox does not answer
     * @param copyName the name of this copy, for the name of its thread
     * @param listener told what this copy does
     * @param environment the pauses and the thread
     * @throws IllegalArgumentException if the name is bad
     */
    public OutboxPump(
            String name,
            Outbox outbox,
            MessageQueue queue,
            GrowingPauses pauses,
            String copyName,
            PumpListener listener,
            CopyEnvironment environment) {
        super(Names.checked("pump", name), copyName, environment);
        this.name = name;
        this.outbox = outbox;
        this.queue = queue;
        this.listener = new SafePumpListener(listener);
        this.pauses = pauses.begin(pauser());
    }

    @Override
    protected void failed(Throwable cause) {
        listener.failed(name, cause);
    }

    @Override
    protected void stepOverdue(Duration lasting, List<StackTraceElement> stack) {
        listener.stepOverdue(name, lasting, stack);
    }

    @Override
    protected void run() throws InterruptedException {
        long number = firstRowNotPushed();
        while (beginsStep()) {
            if (pump(number)) {
                pauses.reset();
                number++;
            } else {
                pauses.pause();
                number = firstRowNotPushed();
            }
        }
    }

    /** The first absent cell is that of the first row that was not pushed, provided that all cells before are this pump's. */
    private long firstRowNotPushed() throws InterruptedException {
        long index = queue.nextIndex();
        if (index > 0 && isAnothers(index - 1)) {
            throw anotherProducer(index - 1);
        }
        return index;
    }

    private boolean isAnothers(long index) throws InterruptedException {
        Cell cell = queue.get(index);
        if (cell instanceof Cell.Full full) {
            return !full.message().id().equals(MessageId.of(name, index));
        }
        LowWater record = queue.lowWater();
        return cell instanceof Cell.Gone
                && record.index() > index
                && record.check().lastOf(name) < index;
    }

    private IllegalStateException anotherProducer(long index) {
        return new IllegalStateException("Queue " + queue.name() + " has another message at index " + index
                + ", though pump " + name + " is its only producer: give the pump a queue of its own");
    }

    /** Returns whether the row is in the queue; if not, the copy waits. */
    private boolean pump(long number) throws InterruptedException {
        Optional<List<byte[]>> row;
        try {
            row = outbox.row(number);
        } catch (RegisterUnavailableException e) {
            failures++;
            listener.outboxFailed(name, failures, e);
            return false;
        }
        failures = 0;
        if (row.isEmpty()) {
            listener.idle(name);
            return false;
        }
        return isPushed(number, queue.pushAsSoleProducer(new Message(MessageId.of(name, number), row.get())));
    }

    private boolean isPushed(long number, PushAnswer answer) {
        if (answer instanceof PushAnswer.Taken) {
            throw anotherProducer(number);
        }
        if (answer instanceof PushAnswer.RingFull full) {
            listener.ringFull(name, queue.name(), full.slowest());
            return false;
        }
        listener.ringFreed(name, queue.name());
        listener.pushed(name, number);
        return true;
    }
}
