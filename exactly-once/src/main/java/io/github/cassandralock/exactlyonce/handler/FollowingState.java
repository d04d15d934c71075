package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Computes the state that follows a state by a step (docs/exactly-once.md, section 3). No I/O. Thread-safe. */
record FollowingState<S>(HandlerDefinition<S> definition) {

    /** Ends the copy if the state cannot be decoded: no message is at fault, and another try is useless. */
    S userState(HandlerState state) {
        try {
            return definition.codec.decode(state.format(), state.userState().toArray());
        } catch (Throwable e) { // even a checked exception: Kotlin does not check them
            throw new UndecodableStateException(
                    "The state of handler " + definition.name + " after step " + state.step() + ", in format "
                            + state.format() + ", cannot be decoded: " + e
                            + ". Messages are not at fault, so none is parked. Run the version of the program that wrote the state,"
                            + " or mend the codec; a codec that writes other bytes needs a new format number",
                    e);
        }
    }

    /** The state after the user's function has returned. */
    HandlerState afterResult(HandlerState state, HandlerResult<S> result, long time) {
        Objects.requireNonNull(result, "The function returned null, not a HandlerResult");
        SortedMap<String, Long> sequences = new TreeMap<>(state.sequences());
        long effects = state.effects();
        Phase phase;
        if (result.effect().isPresent()) {
            HandlerResult.RequestedEffect effect = result.effect().get();
            definition.sink(effect.sink());
            phase = new Phase.Effect(effect.sink(), effect.key(), effects++, effect.request());
        } else {
            phase = Phase.ofOutputs(outputs(result.outputs(), sequences), 0);
        }
        Bytes userState = Bytes.of(definition.codec.encode(result.state()));
        return state.afterStep(definition.codec.getFormat(), userState, time, sequences, effects, phase);
    }

    /**
     * The state after a message is parked. The user's state does not change.
     *
     * @param taking takes the message
     * @param original the message as it was first sent
     */
    HandlerState afterParking(HandlerState state, Taking taking, Input original, Throwable cause, long time) {
        SortedMap<String, Long> sequences = new TreeMap<>(state.sequences());
        String queue = definition.parking.orElseThrow().queue();
        Output parked = output(queue, ParkedMessage.payloadsOf(original, cause), sequences);
        Phase phase = Phase.ofOutputs(List.of(parked), 0);
        return state.withInputs(taking.after)
                .afterStep(state.format(), state.userState(), time, sequences, state.effects(), phase);
    }

    /**
     * Groups the payloads of a step into messages. Messages to queues with one producer come last, where they need no PREPARING.
     *
     * @param sequences of the next messages; raised by this method
     */
    private List<Output> outputs(List<HandlerResult.QueuedPayload> payloads, SortedMap<String, Long> sequences) {
        Map<String, List<byte[]>> byQueue = new LinkedHashMap<>();
        for (HandlerResult.QueuedPayload payload : payloads) {
            byQueue.computeIfAbsent(payload.queue(), queue -> new ArrayList<>())
                    .add(payload.payload().toArray());
        }
        List<Output> outputs = new ArrayList<>();
        byQueue.forEach((queue, all) -> {
            for (int from = 0; from < all.size(); from += definition.maxPayloads) {
                List<byte[]> group = all.subList(from, Math.min(all.size(), from + definition.maxPayloads));
                outputs.add(output(queue, group, sequences));
            }
        });
        outputs.sort(Comparator.comparing(Output::sole));
        return outputs;
    }

    private Output output(String queue, List<byte[]> payloads, SortedMap<String, Long> sequences) {
        if (!definition.outputs.containsKey(queue)) {
            throw new IllegalArgumentException("Handler " + definition.name + " has no output queue named " + queue
                    + ": add it to the definition");
        }
        long sequence = sequences.getOrDefault(queue, 0L);
        sequences.put(queue, sequence + 1);
        return new Output(queue, sequence, definition.soleProducerOf.contains(queue), payloads);
    }
}
