package io.github.cassandralock.cassandra;

/** What the application does with the lock tables at the start. */
public enum SchemaAction {

    /** Creates missing tables and validates existing ones. */
    CREATE_IF_NOT_EXISTS,

    /** Validates the tables. If one is missing, the application does not start. */
    VALIDATE,

    /** Neither creates nor validates tables. */
    NONE
}
