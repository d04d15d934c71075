package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;

/** Which replicas decide a lightweight transaction. All processes that write a register need the same level. */
public enum SerialConsistency {

    /** A majority of all replicas, in all data centres. */
    SERIAL,

    /**
     * A majority of the local data centre's replicas. Safe only if every process that writes the registers is in that data centre.
     * Otherwise two data centres would decide one version twice.
     */
    LOCAL_SERIAL;

    /** The driver's level of this name. A method, because the values of this type need no driver on the class path. */
    DefaultConsistencyLevel level() {
        return DefaultConsistencyLevel.valueOf(name());
    }
}
