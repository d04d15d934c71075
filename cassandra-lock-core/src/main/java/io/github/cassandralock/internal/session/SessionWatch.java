package io.github.cassandralock.internal.session;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Finds out whether the sessions of others live. Each is looked at once per interval, however many locks wait for it and
 * however many ask; what was seen is forgotten when nobody asks any more. Thread-safe.
 *
 * <p>Source: protocol, section 4.
 */
public final class SessionWatch {

    private final SessionContext context;
    private final ConcurrentMap<UUID, RemoteSession> watched = new ConcurrentHashMap<>();

    public SessionWatch(SessionContext context) {
        this.context = context;
    }

    /** Tells the observer what becomes of the session, beginning with a look at it, until {@link #leave}. */
    public void join(UUID session, SessionObserver observer) {
        RemoteSession joined = watched.compute(session, (id, present) -> {
            RemoteSession entry = present == null ? new RemoteSession(context, id, this) : present;
            entry.observers().add(observer);
            return entry;
        });
        joined.begin();
    }

    /** The observer hears no more. Nothing happens if it had not joined. */
    public void leave(UUID session, SessionObserver observer) {
        RemoteSession entry = watched.get(session);
        if (entry != null) {
            entry.observers().remove(observer);
        }
    }

    /** Whose session it is, for people, if it is watched and a look has shown its row. */
    public Optional<String> owner(UUID session) {
        return Optional.ofNullable(watched.get(session)).flatMap(RemoteSession::owner);
    }

    /** Forgets the session if nobody asks for it any more, and says whether it did. */
    boolean forgets(UUID session) {
        return watched.computeIfPresent(
                        session, (id, entry) -> entry.observers().isEmpty() ? null : entry)
                == null;
    }

    /** Forgets the session; whoever asks from now on begins anew. Returns those who asked. */
    Set<SessionObserver> remove(UUID session) {
        RemoteSession entry = watched.remove(session);
        return entry == null ? Set.of() : entry.observers();
    }
}
