package io.github.cassandralock.internal.deadlock;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * What must be read. Not thread-safe.
 *
 * @param sessions whose published waits must be read
 * @param beats sessions whose last renewal must be read
 */
record Wanted(Set<String> locks, Set<UUID> sessions, Set<UUID> beats) {

    /** Nothing, to which more is added. */
    Wanted() {
        this(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
    }
}
