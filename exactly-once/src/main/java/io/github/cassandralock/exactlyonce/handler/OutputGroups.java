package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * Groups the payloads of a step into messages, and gives each its sequence.
 *
 * @param sequences of the next messages; raised by this object
 */
record OutputGroups(HandlerDefinition<?> definition, SortedMap<String, Long> sequences) {

    /** Messages to queues with one producer come last, where they need no PREPARING. */
    List<Output> of(List<HandlerResult.QueuedPayload> payloads) {
        Map<String, List<byte[]>> byQueue = new LinkedHashMap<>();
        for (HandlerResult.QueuedPayload payload : payloads) {
            byQueue.computeIfAbsent(payload.queue(), queue -> new ArrayList<>())
                    .add(payload.payload().toArray());
        }
        List<Output> outputs = new ArrayList<>();
        byQueue.forEach((queue, all) -> {
            for (int from = 0; from < all.size(); from += definition.maxPayloads) {
                outputs.add(output(queue, all.subList(from, Math.min(all.size(), from + definition.maxPayloads))));
            }
        });
        outputs.sort(Comparator.comparing(Output::sole));
        return outputs;
    }

    List<Output> parked(String queue, Input input, Throwable cause) {
        return List.of(output(queue, ParkedMessage.payloadsOf(input, cause)));
    }

    private Output output(String queue, List<byte[]> payloads) {
        if (!definition.outputs.containsKey(queue)) {
            throw new IllegalArgumentException("Handler " + definition.name + " has no output queue named " + queue
                    + ": add it to the definition");
        }
        long sequence = sequences.getOrDefault(queue, 0L);
        sequences.put(queue, sequence + 1);
        return new Output(queue, sequence, definition.soleProducerOf.contains(queue), payloads);
    }
}
