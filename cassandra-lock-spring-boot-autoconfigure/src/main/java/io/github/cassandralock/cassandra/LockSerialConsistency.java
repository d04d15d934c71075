package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** The replicas among which the lightweight transactions of the sessions reach consensus. */
public enum LockSerialConsistency {

    /** All replicas, in all data centres. */
    SERIAL(DefaultConsistencyLevel.SERIAL),

    /** The local data centre's replicas. Safe only if every process that uses the locks is in that data centre. */
    LOCAL_SERIAL(DefaultConsistencyLevel.LOCAL_SERIAL);

    private final DefaultConsistencyLevel level;

    LockSerialConsistency(DefaultConsistencyLevel level) {
        this.level = level;
    }

    /**
     * The level as the driver names it.
     *
     * @return the level
     */
    public ConsistencyLevel level() {
        return level;
    }
}
