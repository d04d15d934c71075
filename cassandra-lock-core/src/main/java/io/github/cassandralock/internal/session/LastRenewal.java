package io.github.cassandralock.internal.session;

import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The renewal by which a session outlives its process. Its lease is as long as the session's slots must keep others out. Other
 * processes use the lease of the row. Therefore they declare the session dead when that time has passed since they saw this
 * renewal.
 */
record LastRenewal(SessionContext context, UUID id, SessionSettings settings) {

    private static final Logger log = LoggerFactory.getLogger(LastRenewal.class);
    private static final int TRIES = 3;

    /** Other processes read a session three times in a lease. A very short lease would make them read all the time. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    static LastRenewal of(SessionContext context, UUID id, Duration atLeast) {
        Duration lease = atLeast.compareTo(SHORTEST) < 0 ? SHORTEST : atLeast;
        return new LastRenewal(
                context, id, new SessionSettings(lease, context.settings().clockDrift()));
    }

    /**
     * Sends the renewal. It is refused if a renewal under way writes its beat first; it is then sent again, after that beat. If all
     * tries fail, the session lives as long as its last renewal requires. Completes, never exceptionally, after the tries.
     */
    CompletionStage<Void> after(Beat last) {
        return send(last, last.next(context.newId()), TRIES);
    }

    private CompletionStage<Void> send(Beat last, Beat next, int tries) {
        SessionRow row = SessionRow.alive(next, settings.lease(), settings.clockDrift(), context.owner());
        return Operation.begin(() -> context.store().renew(id, last, row, settings.rowLife()))
                .handle((outcome, failure) -> outcome)
                .thenCompose(outcome -> answered(last, next, tries - 1, outcome));
    }

    private CompletionStage<Void> answered(Beat last, Beat next, int triesLeft, @Nullable CasOutcome outcome) {
        Optional<Beat> seen = outcome instanceof CasOutcome.Refused refused
                ? refused.seen().filter(SessionState::alive).map(SessionState::beat)
                : Optional.of(last);
        if (outcome instanceof CasOutcome.Applied || seen.filter(next::equals).isPresent()) {
            return CompletableFuture.completedFuture(null);
        }
        if (triesLeft == 0 || seen.isEmpty()) {
            log.warn(
                    "The session {} could not be renewed for the last time. Locks that were to outlast this process"
                            + " (holdAtLeast) may be free within one and a half leases",
                    id);
            return CompletableFuture.completedFuture(null);
        }
        Beat present = seen.get();
        return present.equals(last)
                ? send(last, next, triesLeft)
                : send(present, present.next(context.newId()), triesLeft);
    }
}
