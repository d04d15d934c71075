package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.handler.Inputs.Input;
import java.util.List;
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
            phase = Phase.ofOutputs(new OutputGroups(definition, sequences).of(result.outputs()), 0);
        }
        return new HandlerState(
                definition.codec.getFormat(),
                Bytes.of(definition.codec.encode(result.state())),
                state.step() + 1,
                time,
                state.inputs(),
                sequences,
                effects,
                phase,
                state.birth(),
                state.births());
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
        List<Output> parked = new OutputGroups(definition, sequences).parked(queue, original, cause);
        return new HandlerState(
                state.format(),
                state.userState(),
                state.step() + 1,
                time,
                taking.after,
                sequences,
                state.effects(),
                Phase.ofOutputs(parked, 0),
                state.birth(),
                state.births());
    }
}
