package io.github.cassandralock.internal.actuate;

import io.github.cassandralock.inspect.SessionInfo;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A session, as the endpoint answers.
 *
 * @param state ALIVE; OVERDUE if it was not renewed for longer than its lease, and is not declared dead; or DEAD
 * @param ageMillis its approximate age: the number of its renewals times a third of its lease
 * @param sinceRenewalMillis how long ago it was renewed, to a second, by the servers' clocks
 * @param noticesAddress where it receives notices; null if it exchanges none
 */
record SessionBody(
        String id,
        ProcessBody process,
        String state,
        boolean thisProcess,
        long renewals,
        long ageMillis,
        @Nullable Long sinceRenewalMillis,
        long leaseMillis,
        @Nullable String noticesAddress) {

    static List<SessionBody> of(List<SessionInfo> sessions) {
        return sessions.stream()
                .sorted(Comparator.comparing((SessionInfo session) -> state(session))
                        .thenComparing(session -> session.owner().text())
                        .thenComparing(session -> session.id().toString()))
                .map(SessionBody::of)
                .toList();
    }

    /** In the order in which they are listed. */
    private enum State {
        ALIVE,
        OVERDUE,
        DEAD
    }

    private static State state(SessionInfo session) {
        if (!session.alive()) {
            return State.DEAD;
        }
        return session.isOverdue() ? State.OVERDUE : State.ALIVE;
    }

    private static SessionBody of(SessionInfo session) {
        return new SessionBody(
                session.id().toString(),
                ProcessBody.of(session.owner()),
                state(session).name(),
                session.ofThisProcess(),
                session.renewals(),
                session.age().toMillis(),
                session.sinceRenewal().map(Duration::toMillis).orElse(null),
                session.lease().toMillis(),
                session.noticesAddress().orElse(null));
    }
}
