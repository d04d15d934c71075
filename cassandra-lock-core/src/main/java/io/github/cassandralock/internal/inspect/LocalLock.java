package io.github.cassandralock.internal.inspect;

import io.github.cassandralock.LockMode;
import java.time.Duration;

/**
 * A lock that a caller in this process holds or waits for.
 *
 * @param mode in which it is held or requested
 * @param threadId the name of the acquisition
 * @param thread the name of the thread that requested it
 * @param age how long it has been held or waited for
 * @param lost whether the holder has lost it and not released it yet
 */
public record LocalLock(String lockId, LockMode mode, String threadId, String thread, Duration age, boolean lost) {}
