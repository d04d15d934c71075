package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.LockLoss;
import java.util.Map;

/**
 * What has happened in this process since its start. The endpoint and the meters show these numbers.
 *
 * @param handOvers how often a lock was granted to a caller of this process
 * @param released how many locks were released
 * @param losses how many locks were lost while they were held, for each reason that there is
 * @param refused how often {@code tryGetLock} found the lock taken
 * @param givenUp how many calls ended without the lock: timed out, interrupted, cancelled, failed
 */
public record LockFigures(
        long handOvers, long released, Map<LockLoss.Reason, Long> losses, long refused, long givenUp) {}
