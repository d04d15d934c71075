package io.github.cassandralock.internal.deadlock;

import java.util.Map;
import java.util.concurrent.CompletionStage;

/** The calls of this process for one lock. Thread-safe; does not block. */
public interface CheckedQueue {

    /**
     * Completes with the states of all waiting calls that have owners, by {@link CheckedCall#request()}, at one instant. The time
     * grows with the number of calls, not with its square.
     */
    CompletionStage<Map<Object, CheckedCall.Standing>> standings();
}
