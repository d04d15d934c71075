package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import java.time.Instant;

/**
 * The user's function: from a state and inputs to a new state and outputs. It runs several times for the same inputs, in several
 * copies at the same time, and the result of one of the runs counts. So it has <b>no effect outside</b>: no mail, no write to a
 * database. Effects go through outputs, and through {@link HandlerResult#effect}. It may be non-deterministic. Thread-safe: every
 * copy of a process calls the same object.
 *
 * @param <S> the state; immutable, or copied by the function before it changes it
 */
@FunctionalInterface
public interface ExactlyOnceHandler<S> {

    /**
     * Handles inputs. What it throws is reported, and it is called again after a growing pause; it is never skipped silently. An
     * InterruptedException ends the copy, since copies are closed by an interrupt. If one comes from another thread, for example as
     * the failure of a future, the function has to throw another exception in its place.
     *
     * @param state the state so far
     * @param inputs at least one message
     * @param time now; never earlier than in the step before, whichever copy made that
     * @return the new state, and outputs or an effect
     * @throws Exception if it cannot handle the inputs now
     */
    HandlerResult<S> handle(S state, Inputs inputs, Instant time) throws Exception;

    /**
     * Goes on after an effect, with its result. The inputs have been taken and cannot be parked: what this throws is reported, and
     * it is called again after a growing pause until it throws no more.
     *
     * @param state the state that asked for the effect
     * @param request what it asked for
     * @param result what came out, the same for all copies
     * @param time now; never earlier than in the step before
     * @return the new state, and outputs or another effect
     * @throws Exception if it cannot go on now
     */
    default HandlerResult<S> afterEffect(S state, Bytes request, Bytes result, Instant time) throws Exception {
        throw new UnsupportedOperationException(
                getClass().getName() + " asks for an effect, so it has to implement afterEffect");
    }
}
