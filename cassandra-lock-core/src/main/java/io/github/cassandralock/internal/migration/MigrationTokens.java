package io.github.cassandralock.internal.migration;

/** Which fencing tokens holders see during a migration. */
public enum MigrationTokens {

    /** At most one of the two algorithms has tokens: they order all holders that have its half. */
    OF_THE_HALF_THAT_HAS_THEM,

    /**
     * Both algorithms have tokens, and each counts by itself. A process that uses one of them alone shows its tokens, so neither
     * kind orders all holders. Holders of both halves see none.
     */
    NONE
}
