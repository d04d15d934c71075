package io.github.cassandralock.internal.locker;

/**
 * Who asks for a lock.
 *
 * @param threadId the name of the acquisition
 * @param thread the name of the thread that asks, for people
 */
record Caller(String threadId, String thread) {}
