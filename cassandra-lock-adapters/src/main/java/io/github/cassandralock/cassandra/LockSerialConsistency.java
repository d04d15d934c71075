package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** The serial consistency level of the lightweight transactions on the table of sessions (algorithm {@code ticket}). */
public enum LockSerialConsistency {

    /** A majority of all replicas, in all data centres. */
    SERIAL,

    /** A majority of the local data centre's replicas. Safe only if every process that uses the locks is in that data centre. */
    LOCAL_SERIAL;

    /**
     * Returns the consistency level of the driver.
     *
     * @return the level
     */
    public ConsistencyLevel getLevel() {
        return DefaultConsistencyLevel.valueOf(name());
    }
}
