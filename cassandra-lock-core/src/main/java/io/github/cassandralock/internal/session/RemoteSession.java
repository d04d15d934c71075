package io.github.cassandralock.internal.session;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Watches one session of another process: reads its row repeatedly while it has observers. */
final class RemoteSession {

    /*
     * A beat that a read showed was written before the read completed. The owner relies on it for lease·(1−ε), counted from a time
     * before the write. Therefore the owner no longer relies on it when lease·(1+ε) has passed since the read, on this process's
     * clock. The compare-and-set on exactly that beat ensures that no later renewal succeeds. The row contains the owner's lease.
     */

    /**
     * @param settings the lease of the owner, and the greater drift of the owner and this process
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

    /** In the order in which they joined, so that a seed of the simulation decides everything. There may be thousands. */
    private final Set<SessionObserver> observers = Collections.synchronizedSet(new LinkedHashSet<>());

    private final Mailbox mailbox = new Mailbox();
    private boolean running;
    private volatile @Nullable Observation observation;

    RemoteSession(SessionContext context, UUID session, SessionWatch watch) {
        this.context = context;
        this.session = session;
        this.watch = watch;
    }

    void add(SessionObserver observer) {
        observers.add(observer);
    }

    void remove(SessionObserver observer) {
        observers.remove(observer);
    }

    boolean isObserved() {
        return !observers.isEmpty();
    }

    boolean isObservedBy(SessionObserver observer) {
        return observers.contains(observer);
    }

    /** The present observers, in the order in which they joined. */
    List<SessionObserver> observers() {
        return List.copyOf(observers);
    }

    void begin() {
        mailbox.execute(() -> {
            if (!running) {
                running = true;
                readRow();
            }
        });
    }

    /** Host and process of the owner, once a read has shown them. May be called from any thread. */
    Optional<String> owner() {
        Observation seen = observation;
        return seen == null ? Optional.empty() : Optional.of(seen.owner());
    }

    private void readRow() {
        if (watch.removeIfUnobserved(session)) {
            return;
        }
        Operation.begin(() -> context.store().read(session))
                .whenCompleteAsync(
                        (row, failure) -> {
                            if (failure == null) {
                                rowRead(row);
                            } else {
                                readAgain(context.settings().retry());
                            }
                        },
                        mailbox);
    }

    private void rowRead(Optional<SessionRow> row) {
        Observation last = observation;
        if (row.isEmpty() || !row.get().state().alive()) {
            dead(row.map(SessionRow::owner).orElse("unknown"));
        } else if (last != null && last.beat().equals(row.get().state().beat())) {
            readAgain(untilNextRead(last));
        } else {
            observed(row.get());
            if (last != null) {
                observers().forEach(observer -> call(() -> observer.renewed(session)));
            }
        }
    }

    /** Uses the greater drift: the longer wait is safe for both processes. */
    private SessionSettings settingsOf(SessionRow row) {
        return new SessionSettings(
                row.lease(), Math.max(row.clockDrift(), context.settings().clockDrift()));
    }

    /** Each renewal has its own lease: the last one of a session may have a longer one. */
    private void observed(SessionRow row) {
        Beat beat = row.state().beat();
        SessionSettings settings = settingsOf(row);
        observation =
                new Observation(beat, settings, row.owner(), context.ticker().nanos());
        readAgain(settings.interval());
    }

    private Duration untilNextRead(Observation last) {
        Duration untilSuspicion = Duration.ofNanos(
                Math.max(0, last.suspectFrom() - context.ticker().nanos()));
        Duration interval = last.settings().interval();
        return interval.compareTo(untilSuspicion) < 0 ? interval : untilSuspicion;
    }

    /** If the timer fails, the watch ends, and the observers are called. An observer that joins again begins a new watch. */
    private void readAgain(Duration delay) {
        context.timers()
                .afterOrFailed(delay)
                .whenCompleteAsync(
                        (done, failure) -> {
                            if (failure == null) {
                                readOrDeclareDead();
                            } else {
                                watch.remove(session).forEach(observer -> call(() -> observer.unwatched(session)));
                            }
                        },
                        mailbox);
    }

    private void readOrDeclareDead() {
        Observation last = observation;
        if (last != null && context.ticker().nanos() - last.suspectFrom() >= 0) {
            declareDeadOrRepeat(last);
        } else {
            readRow();
        }
    }

    /**
     * Declares the session dead. If the outcome is unknown, the declaration is sent again. A pause comes first, because many
     * processes may declare at the same time.
     */
    private void declareDeadOrRepeat(Observation last) {
        if (watch.removeIfUnobserved(session)) {
            return;
        }
        Operation.begin(() -> context.store()
                        .declareDead(session, last.beat(), last.settings().rowLife()))
                .whenCompleteAsync(
                        (outcome, failure) -> {
                            if (outcome instanceof CasOutcome.Applied) {
                                context.counters().add(Counted.SESSION_DECLARED_DEAD);
                                dead(last.owner());
                            } else if (outcome instanceof CasOutcome.Refused refused && !shows(refused, last)) {
                                readRow();
                            } else {
                                readAgain(context.settings().retry());
                            }
                        },
                        mailbox);
    }

    /** Whether the row is unchanged. The refusal then has no visible cause, and the next try follows after a pause. */
    private static boolean shows(CasOutcome.Refused refusal, Observation last) {
        return refusal.seen()
                .filter(new SessionState(last.beat(), true)::equals)
                .isPresent();
    }

    private void dead(String owner) {
        Observation last = observation;
        DeadSession dead = last == null
                ? new DeadSession(session, owner, Duration.ZERO)
                : new DeadSession(
                        session, last.owner(), Duration.ofNanos(context.ticker().nanos() - last.seenAt()));
        watch.remove(session).forEach(observer -> call(() -> observer.dead(dead)));
    }

    /** An observer that throws must not prevent the calls of the others, which wait for other locks. */
    private void call(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            log.error("An observer of session {} failed; the other observers are still called", session, e);
        }
    }
}
