package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/**
 * The consistency level of reads and of the last phase of lightweight transactions. That phase makes a version visible to reads.
 */
public enum ReadConsistency {

    /** A majority of all replicas, in all data centres. */
    QUORUM,

    /** A majority of the local data centre's replicas. Reads in another data centre may be older. */
    LOCAL_QUORUM;

    /** The driver's level of this name. A method, because the values of this type need no driver on the class path. */
    DefaultConsistencyLevel level() {
        return DefaultConsistencyLevel.valueOf(name());
    }
}
