package io.github.cassandralock.internal.locker.held;

/** What happens to an abandoned lock. */
public enum AbandonedPolicy {
    /** It is not searched for. */
    IGNORE,

    /** It is logged, and stays taken. */
    WARN,

    /** It is logged, and released. */
    RELEASE
}
