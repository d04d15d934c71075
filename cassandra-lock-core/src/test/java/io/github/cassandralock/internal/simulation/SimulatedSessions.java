package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import io.github.cassandralock.internal.store.SessionStore;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The sessions' table: a row per session on three replicas, which agree by Paxos. A request or its answer may get lost or be
 * late, or others may interfere, so a client may not know what became of it, and it may take effect after a later read.
 */
public final class SimulatedSessions {

    static final String TABLE = "sessions";

    private record Stored(SessionRow row, long expiresAt) {}

    private final SimulatedTime time;
    private final SimulatedNetwork network;
    private final SimulatedPaxos<UUID, Stored> rows;
    private long operations;

    public SimulatedSessions(SimulatedTime time, SimulatedNetwork network, RandomGenerator random) {
        this.time = time;
        this.network = network;
        this.rows = new SimulatedPaxos<>(time, network, TABLE, random);
    }

    /** How many operations clients have sent. */
    public long operations() {
        return operations;
    }

    /** All replicas forget everything. What is on its way arrives nevertheless. */
    void empty() {
        rows.empty();
    }

    public boolean isAlive(UUID session) {
        return unexpired(rows.latest(session))
                .filter(row -> row.state().alive())
                .isPresent();
    }

    private Optional<SessionRow> unexpired(Optional<Stored> stored) {
        return stored.filter(present -> time.now() < present.expiresAt()).map(Stored::row);
    }

    private static SessionRow dead(@Nullable SessionRow row) {
        SessionRow alive = Objects.requireNonNull(row);
        return new SessionRow(
                new SessionState(alive.state().beat(), false),
                alive.lease(),
                alive.clockDrift(),
                alive.owner(),
                alive.contact());
    }

    /** The table, as a client process sees it. */
    public SessionStore seenBy(SimulatedProcess client) {
        return new SessionStore() {
            @Override
            public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
                return compareAndSet(session, null, before -> row, ttl);
            }

            @Override
            public CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl) {
                return compareAndSet(session, last, before -> row, ttl);
            }

            @Override
            public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
                return compareAndSet(session, last, SimulatedSessions::dead, ttl);
            }

            private CompletionStage<CasOutcome> compareAndSet(
                    UUID session,
                    @Nullable Beat expected,
                    Function<@Nullable SessionRow, SessionRow> change,
                    Duration ttl) {
                CompletableFuture<CasOutcome> outcome = new CompletableFuture<>();
                ask(
                        session,
                        found -> {
                            Optional<SessionRow> seen = unexpired(found);
                            boolean holds = expected == null
                                    ? seen.isEmpty()
                                    : seen.map(SessionRow::state)
                                            .filter(new SessionState(expected, true)::equals)
                                            .isPresent();
                            return holds
                                    ? new SimulatedPaxos.Decision<>(
                                            new Stored(change.apply(seen.orElse(null)), time.now() + ttl.toNanos()),
                                            CasOutcome.APPLIED)
                                    : new SimulatedPaxos.Decision<>(
                                            found.orElse(null), new CasOutcome.Refused(seen.map(SessionRow::state)));
                        },
                        outcome,
                        () -> outcome.complete(new CasOutcome.Unknown(new TimeoutException("no consensus in time"))));
                return outcome;
            }

            @Override
            public CompletionStage<Optional<SessionRow>> read(UUID session) {
                CompletableFuture<Optional<SessionRow>> result = new CompletableFuture<>();
                ask(
                        session,
                        found -> new SimulatedPaxos.Decision<>(found.orElse(null), unexpired(found)),
                        result,
                        () -> result.completeExceptionally(new TimeoutException("no consensus in time")));
                return result;
            }

            private <T> void ask(
                    UUID session,
                    Function<Optional<Stored>, SimulatedPaxos.Decision<Stored, T>> decide,
                    CompletableFuture<T> answer,
                    Runnable timeout) {
                operations++;
                rows.ask(client, session, decide, answer::complete);
                network.atTimeout(() -> {
                    if (!answer.isDone()) {
                        client.run(timeout);
                    }
                });
            }
        };
    }
}
