package io.github.cassandralock.internal.session;

import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this process has seen of a session of another process. Reads its row repeatedly while there are observers. */
final class RemoteSession {

    /*
     * A beat that was read was written before the read completed. Its owner counts on it for lease·(1−ε) from before
     * that writing; so lease·(1+ε) after the completion, on this process's clock, the owner no longer counts on it, and a
     * compare-and-set on that very beat makes sure that it never will. The lease is the owner's, which its row tells.
     */

    /**
     * @param settings the owner's, with the greater drift of its own and this process's
     * @param seenAt when the first read that showed the beat completed
     */
    private record Observation(Beat beat, SessionSettings settings, String owner, long seenAt) {

        long suspectFrom() {
            return seenAt + settings.suspicion().toNanos();
        }
    }

    private static final Logger log = LoggerFactory.getLogger(RemoteSession.class);

    private final SessionContext context;
    private final UUID session;
    private final SessionWatch watch;
    private final Set<SessionObserver> observers = ConcurrentHashMap.newKeySet();
    private final Mailbox mailbox = new Mailbox();
    private boolean running;
    private volatile @Nullable Observation observation;

    RemoteSession(SessionContext context, UUID session, SessionWatch watch) {
        this.context = context;
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

    /** Whose session it is, if a look has shown that already. May be asked by any thread. */
    Optional<String> owner() {
        Observation seen = observation;
        return seen == null ? Optional.empty() : Optional.of(seen.owner());
    }

    private void look() {
        if (watch.forgets(session)) {
            return;
        }
        Operation.begin(() -> context.store().read(session))
                .whenCompleteAsync(
                        (row, failure) -> {
                            if (failure == null) {
                                read(row);
                            } else {
                                lookAgain(context.settings().retry());
                            }
                        },
                        mailbox);
    }

    private void read(Optional<SessionRow> row) {
        if (observation != null) {
            seen(row.map(SessionRow::state));
        } else if (row.isPresent() && row.get().state().alive()) {
            observed(row.get().state().beat(), settingsOf(row.get()), row.get().owner());
        } else {
            tellDeath(new DeadSession(session, row.map(SessionRow::owner).orElse("unknown"), Duration.ZERO));
        }
    }

    /** A watcher that trusts clocks less than the owner does waits for longer, and the other way round. */
    private SessionSettings settingsOf(SessionRow row) {
        return new SessionSettings(
                row.lease(), Math.max(row.clockDrift(), context.settings().clockDrift()));
    }

    private void seen(Optional<SessionState> state) {
        Observation last = observation;
        if (last == null || state.isEmpty() || !state.get().alive()) {
            dead();
        } else if (last.beat().equals(state.get().beat())) {
            lookAgain(untilNextLook(last));
        } else {
            observed(state.get().beat(), last.settings(), last.owner());
            observers.forEach(observer -> tell(() -> observer.renewed(session)));
        }
    }

    private void observed(Beat beat, SessionSettings settings, String owner) {
        observation = new Observation(beat, settings, owner, context.ticker().nanos());
        lookAgain(settings.interval());
    }

    private Duration untilNextLook(Observation last) {
        Duration untilSuspicion = Duration.ofNanos(
                Math.max(0, last.suspectFrom() - context.ticker().nanos()));
        Duration interval = last.settings().interval();
        return interval.compareTo(untilSuspicion) < 0 ? interval : untilSuspicion;
    }

    /** Without timers no session can be watched. An observer that joins again begins anew. */
    private void lookAgain(Duration delay) {
        context.after(delay)
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (failure == null) {
                                lookOrKill();
                            } else {
                                watch.remove(session).forEach(observer -> tell(() -> observer.unwatched(session)));
                            }
                        },
                        mailbox);
    }

    private void lookOrKill() {
        Observation last = observation;
        if (last != null && context.ticker().nanos() - last.suspectFrom() >= 0) {
            kill(last);
        } else {
            look();
        }
    }

    /** What became of a declaration whose outcome is unknown, the next one shows, after a pause: many may declare at once. */
    private void kill(Observation last) {
        if (watch.forgets(session)) {
            return;
        }
        Operation.begin(() -> context.store()
                        .declareDead(session, last.beat(), last.settings().rowLife()))
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (outcome instanceof CasOutcome.Applied) {
                                dead();
                            } else if (outcome instanceof CasOutcome.Refused refused && !shows(refused, last)) {
                                seen(refused.seen());
                            } else {
                                lookAgain(context.settings().retry());
                            }
                        },
                        mailbox);
    }

    /** Whether the row is as it was: then the refusal says nothing, and is not followed by the next one at once. */
    private static boolean shows(CasOutcome.Refused refusal, Observation last) {
        return refusal.seen()
                .filter(new SessionState(last.beat(), true)::equals)
                .isPresent();
    }

    private void dead() {
        Observation last = observation;
        tellDeath(
                last == null
                        ? new DeadSession(session, "unknown", Duration.ZERO)
                        : new DeadSession(
                                session,
                                last.owner(),
                                Duration.ofNanos(context.ticker().nanos() - last.seenAt())));
    }

    private void tellDeath(DeadSession dead) {
        watch.remove(session).forEach(observer -> tell(() -> observer.dead(dead)));
    }

    /** One that fails must not keep the others, which wait for other locks, from hearing. */
    private void tell(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.error("Whoever watched session {} could not be told what became of it", session, e);
        }
    }
}
