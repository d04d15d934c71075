package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import io.github.cassandralock.internal.store.SessionStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Passes a process's requests on and stores until when the answers that reached the process confirm its session. */
final class SessionLog implements SessionStore {

    private final SessionStore store;
    private final SimulatedProcess process;
    private final Map<Beat, Long> validUntil = new HashMap<>();
    private @Nullable UUID own;
    private long confirmedUntil;
    private boolean toldDead;

    SessionLog(SessionStore store, SimulatedProcess process) {
        this.store = store;
        this.process = process;
    }

    /** Until when a row that is sent now is valid, on the process's clock. */
    private long validity(SessionRow row) {
        return process.nanos()
                + new SessionSettings(row.lease(), row.clockDrift()).validity().toNanos();
    }

    /** Whether the process has no reason to consider its session lost. */
    boolean isConfirmed() {
        return !toldDead && process.nanos() < confirmedUntil;
    }

    boolean owns(UUID session) {
        return session.equals(own);
    }

    @Override
    public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
        long until = validity(row);
        return store.open(session, row, ttl).thenApply(outcome -> {
            if (outcome instanceof CasOutcome.Applied) {
                own = session;
                confirmedUntil = until;
                toldDead = false;
            }
            return outcome;
        });
    }

    @Override
    public CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl) {
        validUntil.putIfAbsent(row.state().beat(), validity(row));
        return store.renew(session, last, row, ttl).thenApply(outcome -> {
            if (outcome instanceof CasOutcome.Applied) {
                seen(session, Optional.of(row.state()));
            } else if (outcome instanceof CasOutcome.Refused refused) {
                seen(session, refused.seen());
            }
            return outcome;
        });
    }

    @Override
    public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
        return store.declareDead(session, last, ttl);
    }

    @Override
    public CompletionStage<Optional<SessionRow>> read(UUID session) {
        return store.read(session).thenApply(row -> {
            seen(session, row.map(SessionRow::state));
            return row;
        });
    }

    private void seen(UUID session, Optional<SessionState> state) {
        if (!owns(session)) {
            return;
        }
        if (state.isEmpty() || !state.get().alive()) {
            toldDead = true;
        } else if (isConfirmed()) {
            Long until = validUntil.get(state.get().beat());
            confirmedUntil = until == null ? confirmedUntil : Math.max(confirmedUntil, until);
        }
    }
}
