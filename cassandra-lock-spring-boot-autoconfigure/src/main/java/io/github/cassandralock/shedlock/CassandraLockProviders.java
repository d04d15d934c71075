package io.github.cassandralock.shedlock;

import net.javacrumbs.shedlock.core.ExtensibleLockProvider;

/**
 * Makes lock providers of ShedLock that use the locks of the application's {@link io.github.cassandralock.RemoteLocker}. A bean
 * of this type exists if ShedLock is on the class path, even beside the application's lock providers. Thread-safe; no method
 * blocks or does I/O.
 *
 * <pre>{@code
 * @Bean
 * LockProvider cassandraJobs(CassandraLockProviders providers) {
 *     return providers.create();
 * }
 * }</pre>
 */
public interface CassandraLockProviders {

    /**
     * Makes a provider whose lock ids begin with {@code cassandra-lock.shedlock.prefix}.
     *
     * @return the provider; all providers with the same prefix have the same locks
     */
    ExtensibleLockProvider create();

    /**
     * Makes a provider whose lock ids begin with this prefix.
     *
     * @param prefix stands before the name of each job; all processes that share the locks use the same one
     * @return the provider
     * @throws IllegalArgumentException if the prefix is null
     */
    ExtensibleLockProvider create(String prefix);
}
