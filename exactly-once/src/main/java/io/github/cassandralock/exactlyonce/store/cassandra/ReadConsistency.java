package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** The consistency level of reads, and of the last phase of lightweight transactions, which makes a version visible to reads. */
public enum ReadConsistency {

    /** A majority of all replicas, in all data centres. */
    QUORUM(DefaultConsistencyLevel.QUORUM),

    /** A majority of the local data centre's replicas. Reads in another data centre may be older. */
    LOCAL_QUORUM(DefaultConsistencyLevel.LOCAL_QUORUM);

    private final DefaultConsistencyLevel level;

    ReadConsistency(DefaultConsistencyLevel level) {
        this.level = level;
    }

    ConsistencyLevel level() {
        return level;
    }
}
