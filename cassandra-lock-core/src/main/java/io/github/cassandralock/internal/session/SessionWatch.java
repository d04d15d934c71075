package io.github.cassandralock.internal.session;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Detects whether the sessions of other processes are alive. It reads each session once per interval, however many observers the
 * session has, and removes it when it has none. Thread-safe.
 *
 * <p>Source: protocol, section 4.
 */
public final class SessionWatch {

    private final SessionContext context;
    private final ConcurrentMap<UUID, RemoteSession> watched = new ConcurrentHashMap<>();

    public SessionWatch(SessionContext context) {
        this.context = context;
    }

    /** Adds an observer of the session. Reads the session at once if it is not watched yet. */
    public void join(UUID session, SessionObserver observer) {
        RemoteSession joined = watched.compute(session, (id, present) -> {
            RemoteSession entry = present == null ? new RemoteSession(context, id, this) : present;
            entry.add(observer);
            return entry;
        });
        joined.begin();
    }

    /** Removes the observer. Does nothing if it does not observe the session. */
    public void leave(UUID session, SessionObserver observer) {
        RemoteSession entry = watched.get(session);
        if (entry != null) {
            entry.remove(observer);
        }
    }

    /** How many sessions the observer observes. */
    public long observedBy(SessionObserver observer) {
        return watched.values().stream()
                .filter(entry -> entry.isObservedBy(observer))
                .count();
    }

    /**
     * Host and process of the session's owner, for people. Empty unless the session is watched and a read has shown its row.
     */
    public Optional<String> owner(UUID session) {
        return Optional.ofNullable(watched.get(session)).flatMap(RemoteSession::owner);
    }

    /** Removes the session if it has no observers; returns whether it did. */
    boolean removeIfUnobserved(UUID session) {
        return watched.computeIfPresent(session, (id, entry) -> entry.isObserved() ? entry : null) == null;
    }

    /** Removes the session and returns its observers. An observer that joins later begins a new watch. */
    List<SessionObserver> remove(UUID session) {
        RemoteSession entry = watched.remove(session);
        return entry == null ? List.of() : entry.observers();
    }
}
