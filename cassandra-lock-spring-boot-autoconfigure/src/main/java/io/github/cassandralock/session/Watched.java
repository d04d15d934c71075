package io.github.cassandralock.session;

import io.github.cassandralock.spi.CasOutcome;
import io.github.cassandralock.spi.SessionRow;
import io.github.cassandralock.steps.Mailbox;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What this process has seen of one session of another: looks again and again while somebody asks. */
final class Watched {

    /*
     * A beat that was read was written before the read completed. Its owner counts on it for lease·(1−ε) from before
     * that writing; so lease·(1+ε) after the completion, on this process's clock, the owner no longer counts on it, and a
     * compare-and-set on that very beat makes sure that it never will.
     */

    /** @param seenAt when the first read that showed it completed */
    private record Observation(long beat, long seenAt) {}

    private final SessionParts parts;
    private final UUID session;
    private final SessionWatch watch;
    private final Set<SessionObserver> observers = ConcurrentHashMap.newKeySet();
    private final Mailbox mailbox = new Mailbox();
    private boolean running;
    private @Nullable Observation observation;

    Watched(SessionParts parts, UUID session, SessionWatch watch) {
        this.parts = parts;
        this.session = session;
        this.watch = watch;
    }

    Set<SessionObserver> observers() {
        return observers;
    }

    void begin() {
        mailbox.execute(() -> {
            if (!running) {
                running = true;
                look();
            }
        });
    }

    private void look() {
        if (watch.forgets(session)) {
            return;
        }
        parts.store()
                .read(session)
                .whenCompleteAsync(
                        (row, failure) -> {
                            if (failure == null) {
                                seen(row);
                            } else {
                                lookAgain(parts.terms().retry());
                            }
                        },
                        mailbox);
    }

    private void seen(Optional<SessionRow> row) {
        long now = parts.ticker().nanos();
        if (row.isEmpty() || !row.get().alive()) {
            dead();
        } else if (observation == null) {
            observed(row.get().beat(), now);
        } else if (observation.beat() != row.get().beat()) {
            observed(row.get().beat(), now);
            observers.forEach(observer -> observer.renewed(session));
        } else {
            lookAgain(untilNextLook(now));
        }
    }

    private void observed(long beat, long now) {
        observation = new Observation(beat, now);
        lookAgain(parts.terms().interval());
    }

    private Duration untilNextLook(long now) {
        Duration interval = parts.terms().interval();
        Duration untilSuspicion = Duration.ofNanos(Math.max(0, suspectFrom() - now));
        return interval.compareTo(untilSuspicion) < 0 ? interval : untilSuspicion;
    }

    private long suspectFrom() {
        return observation == null
                ? Long.MAX_VALUE
                : observation.seenAt() + parts.terms().suspicion().toNanos();
    }

    private void lookAgain(Duration delay) {
        parts.timers().after(delay).thenRunAsync(this::lookOrKill, mailbox);
    }

    private void lookOrKill() {
        if (observation != null && parts.ticker().nanos() - suspectFrom() >= 0) {
            kill(observation.beat());
        } else {
            look();
        }
    }

    /** What became of a declaration whose outcome is unknown, the next one shows, after a pause: many may declare at once. */
    private void kill(long beat) {
        if (watch.forgets(session)) {
            return;
        }
        parts.store()
                .declareDead(session, beat, parts.terms().rowLife())
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (outcome instanceof CasOutcome.Applied) {
                                dead();
                            } else if (outcome instanceof CasOutcome.Refused refused) {
                                seen(refused.seen());
                            } else {
                                lookAgain(parts.terms().retry());
                            }
                        },
                        mailbox);
    }

    private void dead() {
        watch.remove(session).forEach(observer -> observer.dead(session));
    }
}
