package io.github.cassandralock.internal.deadlock;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/** What is to be read: locks, and what sessions publish and renew. Not thread-safe. */
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

    /** Of which the published waits are to be read. */
    Set<UUID> sessions() {
        return sessions;
    }

    /** Of which the last renewal is to be read. */
    Set<UUID> beats() {
        return beats;
    }
}
