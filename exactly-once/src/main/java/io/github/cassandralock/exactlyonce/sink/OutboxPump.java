package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.CopyThread;
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
public final class OutboxPump implements AutoCloseable {

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    private final String name;
    private final Outbox outbox;
    private final MessageQueue queue;
    private final GrowingPauses.Series pauses;
    private final CopyThread thread;

    /**
     * A copy that is not started. Does no I/O.
     *
     * @param name of the pump, which is the name of the queue's producer; the same for all copies
     * @param outbox to read rows from
     * @param queue to push them to; nobody else pushes to it
     * @param pauses how long to wait while there is no row, the ring is full, or the outbox does not answer
     * @param copyName the name of this copy, for the name of its thread
     * @param environment the pauses and the thread
     * @throws IllegalArgumentException if the name is bad
     */
    public OutboxPump(
            String name,
            Outbox outbox,
            MessageQueue queue,
            GrowingPauses pauses,
            String copyName,
            CopyEnvironment environment) {
        this.name = Names.checked("pump", name);
        this.outbox = outbox;
        this.queue = queue;
        this.pauses = pauses.begin(environment.pauser());
        thread = new CopyThread("exactly-once-" + name + "-" + copyName, environment.threads(), this::run, cause -> {});
    }

    private void run() throws InterruptedException {
        long number = firstRowNotPushed();
        while (true) {
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
                && record.last().getOrDefault(name, -1L) < index;
    }

    private IllegalStateException anotherProducer(long index) {
        return new IllegalStateException("Queue " + queue.name() + " has another message at index " + index
                + ", though pump " + name + " is its only producer: give the pump a queue of its own");
    }

    private boolean pump(long number) throws InterruptedException {
        Optional<List<byte[]>> row;
        try {
            row = outbox.row(number);
        } catch (RegisterUnavailableException e) {
            return false;
        }
        if (row.isEmpty()) {
            return false;
        }
        PushAnswer answer = queue.pushAsSoleProducer(new Message(MessageId.of(name, number), row.get()));
        if (answer instanceof PushAnswer.Taken) {
            throw anotherProducer(number);
        }
        return answer instanceof PushAnswer.Pushed;
    }

    /**
     * Starts the thread. Does no I/O in the caller's thread.
     *
     * @throws IllegalStateException if the copy was started or closed before
     */
    public void start() {
        thread.start();
    }

    /** Interrupts the thread and waits for its end, 10 s at most. If the caller is interrupted, it keeps the interrupt. */
    @Override
    public void close() {
        try {
            close(LONGEST_CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Interrupts the thread and waits for its end.
     *
     * @param longest how long at most
     * @return whether the thread has ended
     * @throws InterruptedException if the caller was interrupted while it waited
     */
    public boolean close(Duration longest) throws InterruptedException {
        return thread.close(longest);
    }

    /** Whether the copy was started and has not ended. */
    public boolean isRunning() {
        return thread.isRunning();
    }

    /** Why the copy ended although nobody closed it. */
    public Optional<Throwable> failure() {
        return thread.failure();
    }
}
