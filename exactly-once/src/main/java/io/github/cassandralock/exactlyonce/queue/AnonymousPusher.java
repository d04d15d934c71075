package io.github.cassandralock.exactlyonce.queue;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Pushes messages for a process that does not survive its own crash. Thread-safe; blocks and does I/O. */
public final class AnonymousPusher {

    private final MessageQueue queue;
    private final String name;
    private final AtomicLong sequence = new AtomicLong();

    AnonymousPusher(MessageQueue queue, String name) {
        this.queue = queue;
        this.name = name;
    }

    /**
     * Pushes a group of payloads as one message.
     *
     * @param payloads of the message
     * @return the index at which it is
     * @throws OvertakenException if the store has not said whether it has written the message, and its cell was used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(List<byte[]> payloads) throws InterruptedException {
        return queue.push(new Message(new MessageId(name, sequence.getAndIncrement(), true), payloads));
    }

    /**
     * Pushes one payload.
     *
     * @param payload of the message
     * @return the index at which it is
     * @throws OvertakenException if the store has not said whether it has written the message, and its cell was used again meanwhile
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(byte[] payload) throws InterruptedException {
        return push(List.of(payload));
    }
}
