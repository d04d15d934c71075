package io.github.cassandralock.cassandra;

/** What happens to the lock tables at start-up. */
public enum SchemaAction {

    /** Missing tables are created, existing ones validated. */
    CREATE_IF_NOT_EXISTS,

    /** All tables must exist in the right shape. */
    VALIDATE,

    /** Nothing is looked at. */
    NONE
}
