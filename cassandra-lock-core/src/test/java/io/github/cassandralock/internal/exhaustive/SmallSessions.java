package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import io.github.cassandralock.internal.store.SessionStore;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The rows of the sessions, on which all replicas agree. */
final class SmallSessions {

    private final TreeMap<UUID, SessionRow> rows = new TreeMap<>();

    /** @param requests takes each request of the process */
    SessionStore seenBy(SmallProcess process, Consumer<SessionRequest<?>> requests) {
        return new SessionStore() {
            @Override
            public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
                return change(session, null, before -> row, "insert of its session");
            }

            @Override
            public CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl) {
                return change(
                        session,
                        last,
                        before -> row,
                        "renewal " + row.state().beat().number());
            }

            @Override
            public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
                return change(
                        session,
                        last,
                        SmallSessions::dead,
                        "declaration of " + SmallProcess.nameOf(session) + "'s death");
            }

            private CompletionStage<CasOutcome> change(
                    UUID session, @Nullable Beat expected, UnaryOperator<SessionRow> change, String text) {
                SessionRequest<CasOutcome> request = new SessionRequest<>(
                        process,
                        () -> compareAndSet(session, expected, change),
                        SmallSessions::keyOf,
                        failure -> Optional.of(new CasOutcome.Unknown(failure)),
                        text);
                requests.accept(request);
                return request.result();
            }

            @Override
            public CompletionStage<Optional<SessionRow>> read(UUID session) {
                SessionRequest<Optional<SessionRow>> request = new SessionRequest<>(
                        process,
                        () -> Optional.ofNullable(rows.get(session)),
                        row -> keyOf(row.map(SessionRow::state)),
                        failure -> Optional.empty(),
                        "read of " + SmallProcess.nameOf(session) + "'s session");
                requests.accept(request);
                return request.result();
            }
        };
    }

    private CasOutcome compareAndSet(UUID session, @Nullable Beat expected, UnaryOperator<SessionRow> change) {
        SessionRow present = rows.get(session);
        boolean holds = expected == null
                ? present == null
                : present != null && present.state().equals(new SessionState(expected, true));
        if (!holds) {
            return new CasOutcome.Refused(Optional.ofNullable(present).map(SessionRow::state));
        }
        rows.put(session, change.apply(present));
        return CasOutcome.APPLIED;
    }

    private static SessionRow dead(SessionRow row) {
        return new SessionRow(
                new SessionState(row.state().beat(), false), row.lease(), row.clockDrift(), row.owner(), row.contact());
    }

    private static StateKey keyOf(CasOutcome outcome) {
        return outcome instanceof CasOutcome.Refused refused
                ? keyOf(refused.seen()).with(1)
                : StateKey.EMPTY;
    }

    private static StateKey keyOf(Optional<SessionState> state) {
        return state.map(shown -> StateKey.EMPTY
                        .with(shown.beat().number())
                        .with(shown.beat().nonce().getLeastSignificantBits())
                        .with(shown.alive() ? 1 : 0))
                .orElse(StateKey.EMPTY);
    }

    StateKey key() {
        StateKey key = StateKey.EMPTY;
        for (Map.Entry<UUID, SessionRow> row : rows.entrySet()) {
            key = key.with(StateKey.of(row.getKey()))
                    .with(keyOf(Optional.of(row.getValue().state())));
        }
        return key;
    }
}
