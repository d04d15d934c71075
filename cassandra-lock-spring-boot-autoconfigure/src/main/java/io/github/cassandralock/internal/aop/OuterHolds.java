package io.github.cassandralock.internal.aop;

import org.jspecify.annotations.Nullable;

/** Finds what the calls hold in which another one runs. */
interface OuterHolds {

    /** The hold of a lock that was named by its id; null if there is none. */
    @Nullable
    Hold lock(String lockId);

    /** The hold of a node of a path; null if there is none. */
    @Nullable
    Hold node(String lockId);
}
