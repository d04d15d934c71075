package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import java.util.Optional;

/**
 * What a request does to the content of a register. It has no effect outside, since it may run several times for one request. A
 * refusal belongs into its result: an exception stops the handler's progress until the function throws no more. Thread-safe.
 */
@FunctionalInterface
public interface EffectFunction {

    /**
     * Computes the change of a request.
     *
     * @param content of the register; empty if it was never written
     * @param request of the handler
     * @return the new content, which may be the old one, and the result
     */
    Change change(Optional<Bytes> content, Bytes request);

    /**
     * The change of a register.
     *
     * @param content the new content
     * @param result for the handler, such as "ok" or "not enough money"; kept with the content
     */
    record Change(Bytes content, Bytes result) {}
}
