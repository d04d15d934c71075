package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.queue.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The decision of a step: the new state, and outputs or an effect. Outputs to one queue are pushed in the order in which they were
 * added; between queues there is no order. Not thread-safe.
 *
 * @param <S> the state
 */
public final class HandlerResult<S> {

    record QueuedPayload(String queue, Bytes payload) {}

    record RequestedEffect(String sink, String key, Bytes request) {}

    private final S state;
    private final List<QueuedPayload> outputs = new ArrayList<>();
    private Optional<RequestedEffect> effect = Optional.empty();

    private HandlerResult(S state) {
        this.state = state;
    }

    /**
     * Creates a result without outputs.
     *
     * @param state the new state
     * @return a result to which outputs can be added
     */
    public static <S> HandlerResult<S> of(S state) {
        return new HandlerResult<>(state);
    }

    /**
     * Adds an output.
     *
     * @param queue a name of an output queue of the handler
     * @param payload must not be changed any more
     * @return this
     * @throws IllegalStateException if there is an effect
     */
    public HandlerResult<S> output(String queue, byte[] payload) {
        if (effect.isPresent()) {
            throw outputsAndEffect();
        }
        outputs.add(new QueuedPayload(queue, Bytes.of(payload)));
        return this;
    }

    /**
     * Adds an output, encoded by a codec.
     *
     * @param queue a name of an output queue of the handler
     * @param codec of the payload
     * @param value the payload
     * @return this
     * @throws IllegalStateException if there is an effect
     */
    public <T> HandlerResult<S> output(String queue, Codec<T> codec, T value) {
        return output(queue, codec.encode(value));
    }

    /**
     * Requests an effect, and then {@link ExactlyOnceHandler#afterEffect} with its result. A step has one effect and no outputs;
     * outputs that depend on the result are decided in {@code afterEffect}.
     *
     * @param sink a name of a register sink of the handler
     * @param key of the register
     * @param request what to do
     * @return this
     * @throws IllegalArgumentException if the key is not allowed
     * @throws IllegalStateException if there are outputs or another effect
     */
    public HandlerResult<S> effect(String sink, String key, Bytes request) {
        if (effect.isPresent() || !outputs.isEmpty()) {
            throw outputsAndEffect();
        }
        effect = Optional.of(new RequestedEffect(sink, Names.checked("sink's register", key), request));
        return this;
    }

    private static IllegalStateException outputsAndEffect() {
        return new IllegalStateException(
                "A step has outputs or one effect. Add the outputs in afterEffect, which gets the result of the effect");
    }

    S state() {
        return state;
    }

    List<QueuedPayload> outputs() {
        return Collections.unmodifiableList(outputs);
    }

    Optional<RequestedEffect> effect() {
        return effect;
    }
}
