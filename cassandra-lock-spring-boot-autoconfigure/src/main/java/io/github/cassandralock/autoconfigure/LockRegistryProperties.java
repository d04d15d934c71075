package io.github.cassandralock.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration of the lock registry of Spring Integration.
 *
 * @param enabled Whether to configure a LockRegistry if Spring Integration is on the class path, and the application has no own
 *        one.
 * @param prefix Text before each key of the registry; both together are the lock id. All processes that share locks must use
 *     the same one.
 */
@ConfigurationProperties("cassandra-lock.lock-registry")
public record LockRegistryProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("spring-integration:") String prefix) {}
