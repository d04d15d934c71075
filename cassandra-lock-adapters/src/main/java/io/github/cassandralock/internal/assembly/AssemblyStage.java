package io.github.cassandralock.internal.assembly;

/** How far the creation of an algorithm has come, in this order. */
public enum AssemblyStage {

    /** Cassandra answers, and the tables are looked at. */
    TABLES,

    /** Tables are missing. */
    CREATION,

    /** The tables are there. */
    ALGORITHM
}
