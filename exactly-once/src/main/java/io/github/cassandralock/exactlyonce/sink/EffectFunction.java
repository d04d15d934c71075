package io.github.cassandralock.exactlyonce.sink;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import java.util.Optional;

/**
 * What a request does to the content of a register. It has no effect outside, since it runs several times, and no refusal but in
 * its result: what it throws stops the handler's progress until it throws no more.
 */
@FunctionalInterface
public interface EffectFunction {

    /**
     * The change that a request makes.
     *
     * @param content of the register; empty if it was never written
     * @param request of the handler
     * @return the new content, which may be the old one, and the result
     */
    Change change(Optional<Bytes> content, Bytes request);

    /**
     * What a request makes of a register.
     *
     * @param content the new content
     * @param result what the handler gets, such as "ok" or "not enough money"; kept with the content
     */
    record Change(Bytes content, Bytes result) {}
}
