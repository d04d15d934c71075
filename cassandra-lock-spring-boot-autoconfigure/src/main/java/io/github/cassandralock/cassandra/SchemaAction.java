package io.github.cassandralock.cassandra;

/** What is done with the lock tables at the start. */
public enum SchemaAction {

    /** Creates missing tables and validates existing ones. */
    CREATE_IF_NOT_EXISTS,

    /** Validates the tables; all must exist. */
    VALIDATE,

    /** Neither creates nor validates tables. */
    NONE
}
