package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** The consistency level of reads and writes. */
public enum LockConsistency {

    /** A majority of all replicas, in all data centres. */
    QUORUM,

    /** A majority of the local data centre's replicas. Safe only if every process that uses the locks is in that data centre. */
    LOCAL_QUORUM;

    /**
     * Returns the consistency level of the driver.
     *
     * @return the level
     */
    public ConsistencyLevel getLevel() {
        return DefaultConsistencyLevel.valueOf(name());
    }
}
