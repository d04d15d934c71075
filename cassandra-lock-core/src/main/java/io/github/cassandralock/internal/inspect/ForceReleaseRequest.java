package io.github.cassandralock.internal.inspect;

/**
 * A request to the process of a session to release a lock.
 *
 * @param attempt with which that session held the lock; the request is void if it has another one by now
 * @param by who requests it
 */
public record ForceReleaseRequest(String lockId, long attempt, String by) {}
