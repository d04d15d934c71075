package io.github.cassandralock.internal.deadlock;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/** What must be read: locks, and published waits and renewals of sessions. Not thread-safe. */
final class Wanted {

    private final Set<String> locks = new LinkedHashSet<>();
    private final Set<UUID> sessions = new LinkedHashSet<>();
    private final Set<UUID> beats = new LinkedHashSet<>();

    void lock(String lockId) {
        locks.add(lockId);
    }

    void session(UUID session) {
        sessions.add(session);
    }

    void beat(UUID session) {
        beats.add(session);
    }

    Set<String> locks() {
        return locks;
    }

    /** Sessions whose published waits must be read. */
    Set<UUID> sessions() {
        return sessions;
    }

    /** Sessions whose last renewal must be read. */
    Set<UUID> beats() {
        return beats;
    }
}
