package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.queue.Message;
import java.util.List;

/**
 * What a step takes from the input queues. All of it takes effect at once.
 *
 * @param all the messages, those of one queue in the order of their indexes
 */
public record Inputs(List<Input> all) {

    /**
     * One message.
     *
     * @param queue where it comes from
     * @param index where it is in the queue
     * @param message what it is
     */
    public record Input(String queue, long index, Message message) {}

    /** Makes the list unmodifiable. */
    public Inputs {
        all = List.copyOf(all);
    }

    /**
     * The payloads of one queue, in order.
     *
     * @param queue a name of an input queue
     * @param codec of the payloads
     * @return the payloads; none if the queue has no new message
     */
    public <T> List<T> from(String queue, Codec<T> codec) {
        return all.stream()
                .filter(input -> input.queue().equals(queue))
                .flatMap(input -> input.message().payloads().stream())
                .map(codec::decode)
                .toList();
    }
}
