package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.queue.Message;
import java.util.List;

/**
 * The messages that a step takes from the input queues. All take effect at once.
 *
 * @param all the messages; within one queue, in the order of their indexes
 */
public record Inputs(List<Input> all) {

    /**
     * One message.
     *
     * @param queue its name
     * @param index in the queue
     * @param message with its id and payloads
     */
    public record Input(String queue, long index, Message message) {}

    public Inputs {
        all = List.copyOf(all);
    }

    /**
     * The payloads of one queue, in order.
     *
     * @param queue a name of an input queue
     * @param codec of the payloads
     * @return the payloads; none if the queue has no new message
     * @throws RuntimeException if the codec cannot decode a payload
     */
    public <T> List<T> from(String queue, Codec<T> codec) {
        return all.stream()
                .filter(input -> input.queue().equals(queue))
                .flatMap(input -> input.message().payloads().stream())
                .map(codec::decode)
                .toList();
    }
}
