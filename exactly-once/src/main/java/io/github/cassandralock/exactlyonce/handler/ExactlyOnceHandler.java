package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import java.time.Instant;

/**
 * The user's function, from a state and inputs to a new state and outputs. It runs several times for the same inputs, in several
 * copies at the same time. The result of one run counts. The function therefore has <b>no effect outside</b>: no mail, no write to
 * a database. Effects go through outputs, and through {@link HandlerResult#effect}. The function may be non-deterministic.
 * Thread-safe: every copy of a process calls one object.
 *
 * @param <S> the state; immutable, or copied by the function before it changes it
 */
@FunctionalInterface
public interface ExactlyOnceHandler<S> {

    /**
     * Handles inputs. An exception is reported, and the function is called again after a growing pause. No input is skipped in
     * silence. An InterruptedException ends the copy, since copies are closed by an interrupt. If one comes from another thread,
     * such as the failure of a future, the function must throw another exception instead.
     *
     * @param state the state so far
     * @param inputs at least one message
     * @param time now; never earlier than in the step before, even if another copy made that step
     * @return the new state, and outputs or an effect
     * @throws Exception if it cannot handle the inputs now
     */
    HandlerResult<S> handle(S state, Inputs inputs, Instant time) throws Exception;

    /**
     * Continues after an effect, with its result. The inputs have been taken and cannot be parked. An exception is reported, and
     * the function is called again after a growing pause until it throws no more.
     *
     * @param state the state that requested the effect
     * @param request of the effect
     * @param result of the effect, equal in all copies
     * @param time now; never earlier than in the step before
     * @return the new state, and outputs or another effect
     * @throws Exception if it cannot continue now
     */
    default HandlerResult<S> afterEffect(S state, Bytes request, Bytes result, Instant time) throws Exception {
        throw new UnsupportedOperationException(
                getClass().getName() + " requests an effect, so it has to implement afterEffect");
    }
}
