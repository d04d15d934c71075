package io.github.cassandralock.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the lock provider of ShedLock.
 *
 * @param enabled Whether to configure a LockProvider if ShedLock is on the class path, and the application has no own one.
 * @param prefix Text before each name of a job; both together are the lock id. All processes that share locks must use the same
 *     one.
 */
@ConfigurationProperties("cassandra-lock.shedlock")
public record ShedLockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("shedlock:") String prefix) {}
