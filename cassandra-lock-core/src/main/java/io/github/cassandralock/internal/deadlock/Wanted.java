package io.github.cassandralock.internal.deadlock;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/** What is to be read: locks, and rows of sessions. Not thread-safe. */
final class Wanted {

    private final Set<String> locks = new LinkedHashSet<>();
    private final Set<UUID> sessions = new LinkedHashSet<>();

    void lock(String lockId) {
        locks.add(lockId);
    }

    void session(UUID session) {
        sessions.add(session);
    }

    Set<String> locks() {
        return locks;
    }

    Set<UUID> sessions() {
        return sessions;
    }
}
