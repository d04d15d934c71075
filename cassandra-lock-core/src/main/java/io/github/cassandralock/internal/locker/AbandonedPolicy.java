package io.github.cassandralock.internal.locker;

/** What is done with a lock whose owner has gone. */
public enum AbandonedPolicy {
    /** It is not looked for. */
    IGNORE,

    /** It is logged, and stays taken. */
    WARN,

    /** It is logged, and released. */
    RELEASE
}
