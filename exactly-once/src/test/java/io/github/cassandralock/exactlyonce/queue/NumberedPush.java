package io.github.cassandralock.exactlyonce.queue;

/** Pushes messages with numbers, as no program can that does not keep the index: once for as long as the call lives. */
public final class NumberedPush {

    private NumberedPush() {}

    /** Pushes at the next index; no other call pushes a message with this id. */
    public static long push(MessageQueue queue, Message message) throws InterruptedException {
        return queue.push(message);
    }
}
