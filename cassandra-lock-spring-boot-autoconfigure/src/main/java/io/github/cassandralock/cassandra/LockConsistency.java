package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** The quorum that reads and writes of locks use. */
public enum LockConsistency {

    /** A majority of all replicas, in whatever data centre. */
    QUORUM(DefaultConsistencyLevel.QUORUM),

    /** A majority of the local data centre's replicas: right only where every locker lives in that data centre. */
    LOCAL_QUORUM(DefaultConsistencyLevel.LOCAL_QUORUM);

    private final DefaultConsistencyLevel level;

    LockConsistency(DefaultConsistencyLevel level) {
        this.level = level;
    }

    ConsistencyLevel level() {
        return level;
    }
}
