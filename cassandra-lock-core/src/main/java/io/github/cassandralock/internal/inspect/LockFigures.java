package io.github.cassandralock.internal.inspect;

/**
 * What has happened in this process since its start. The endpoint and the meters show these numbers.
 *
 * @param handOvers how often a lock was handed over to a caller in this process
 * @param released how many locks were released
 * @param lost how many locks were lost while they were held, without those of {@code lostByShutdown}
 * @param lostByShutdown how many locks were taken away from their holders because this process ends
 * @param refused how often {@code tryGetLock} found the lock taken
 * @param givenUp how many calls ended without the lock: timed out, interrupted, cancelled, failed
 */
public record LockFigures(long handOvers, long released, long lost, long lostByShutdown, long refused, long givenUp) {}
