package io.github.cassandralock.exactlyonce.queue;

import java.util.List;
import java.util.Optional;

/**
 * The only producer of a queue. It is for a process that reads messages in a stable order. Examples are rows by id, and lines of a
 * file. The process numbers the messages itself. Each push is one compare-and-set, which succeeds only if the message before is
 * still the last message of the queue. A process that continues behind {@link #getLast} loses no message and pushes none twice.
 * This holds after a crash at any time, after a lost answer, and even if another process pushes by mistake.
 *
 * <p>A push that throws ends this object, since it may have written its message. Open another producer, read its {@link #getLast},
 * and continue behind that message. Used by one thread. Methods do I/O and block for as long as the store does not answer; an
 * interrupt ends them.
 */
public final class SoleProducer {

    private final MessageQueue queue;
    private final String name;
    private long next;
    private Optional<Message> last;

    /** Set while it is unknown whether a message was pushed. */
    private boolean uncertain;

    /** @param last the message before {@code next} */
    SoleProducer(MessageQueue queue, String name, long next, Optional<Message> last) {
        this.queue = queue;
        this.name = name;
        this.next = next;
        this.last = last;
        last.map(Message::id)
                .filter(id -> !id.equals(MessageId.of(name, next - 1)))
                .ifPresent(id -> {
                    throw new TwoProducersException(
                            "The last message of queue " + queue.getName() + ", at index " + (next - 1)
                                    + ", is " + id + ", so " + name
                                    + " cannot be its only producer. Keep the name of the producer, or use a queue with a new name");
                });
    }

    /** The last message of the queue when this object was opened, or the last that it has pushed. Empty if the queue has none. */
    public Optional<Message> getLast() {
        return last;
    }

    /** The index of the next message, which is the number of messages before it. */
    public long getNextIndex() {
        return next;
    }

    /**
     * Pushes a group of payloads as one message behind the last one. Waits while the ring is full.
     *
     * @param payloads of the message
     * @return its index
     * @throws IllegalArgumentException if the message is larger than a register holds
     * @throws TwoProducersException if {@link #getLast} is no longer the last message. Another process pushes, or an earlier push
     *     whose answer was lost has taken effect. This message is not there, or is the last message
     * @throws IllegalStateException if an earlier push of this object has thrown
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(List<byte[]> payloads) throws InterruptedException {
        if (uncertain) {
            throw new IllegalStateException("An earlier push of " + name + " to queue " + queue.getName()
                    + " has failed, and its message may be there. Open another producer with MessageQueue.openSoleProducer, and"
                    + " go on behind its last message");
        }
        Message message = new Message(MessageId.of(name, next), payloads);
        uncertain = true;
        if (!queue.append(message)) {
            throw new TwoProducersException("Queue " + queue.getName() + " has a message at index " + next
                    + " that this push of " + name
                    + " has not written. Another process pushes to the queue, or a push of an earlier process, whose"
                    + " answer was lost, has taken effect. Open another producer with MessageQueue.openSoleProducer,"
                    + " and go on behind its last message");
        }
        uncertain = false;
        last = Optional.of(message);
        return next++;
    }

    /**
     * Pushes a message with one payload, as {@link #push(List)} does.
     *
     * @param payload of the message
     * @return its index
     * @throws IllegalArgumentException if the message is larger than a register holds
     * @throws TwoProducersException if {@link #getLast} is no longer the last message
     * @throws IllegalStateException if an earlier push of this object has thrown
     * @throws InterruptedException if the thread was interrupted: the message may be there, or may be there later
     */
    public long push(byte[] payload) throws InterruptedException {
        return push(List.of(payload));
    }
}
