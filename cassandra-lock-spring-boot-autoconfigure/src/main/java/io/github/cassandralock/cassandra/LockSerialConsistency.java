package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** Among which replicas the sessions' lightweight transactions reach consensus. */
public enum LockSerialConsistency {

    /** All replicas, in whatever data centre. */
    SERIAL(DefaultConsistencyLevel.SERIAL),

    /** The local data centre's replicas: right only where every locker lives in that data centre. */
    LOCAL_SERIAL(DefaultConsistencyLevel.LOCAL_SERIAL);

    private final DefaultConsistencyLevel level;

    LockSerialConsistency(DefaultConsistencyLevel level) {
        this.level = level;
    }

    ConsistencyLevel level() {
        return level;
    }
}
