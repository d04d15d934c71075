package io.github.cassandralock.internal.migration;

/** Whose fencing tokens holders are shown during a migration. */
public enum MigrationTokens {

    /** At most one of the two algorithms has tokens: those order all holders that have its half. */
    OF_THE_HALF_THAT_HAS_THEM,

    /**
     * Both algorithms have tokens, and each counts by itself. Processes that use one of them alone show its tokens, so neither
     * kind orders all holders, and holders of both halves are shown none.
     */
    NONE
}
