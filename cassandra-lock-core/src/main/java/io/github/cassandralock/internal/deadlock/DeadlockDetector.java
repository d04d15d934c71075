package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.RepeatedLook;
import java.time.Duration;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins to check calls of this process that have waited for long (lock modes, section 7). Before that, a call costs an entry in a
 * set, and no request. Thread-safe.
 */
public final class DeadlockDetector {

    private static final Logger log = LoggerFactory.getLogger(DeadlockDetector.class);
    private static final Duration BETWEEN_WARNINGS = Duration.ofMinutes(10);

    private final DeadlockContext context;
    private final DeadlockRounds rounds;
    private final AtomicLong calls = new AtomicLong();

    /** Calls that are not checked yet, in the order of their arrival. */
    private final ConcurrentNavigableMap<Long, CheckedCall> young = new ConcurrentSkipListMap<>();

    /** One timer for all calls: most calls end before it does. */
    private final RepeatedLook sweeps;

    private volatile boolean closed;

    /**
     * @param slots reads the partitions of locks
     * @param sessions reads the renewals of sessions behind whose requests calls wait
     */
    public DeadlockDetector(WaitStore waits, SlotStore slots, SessionContext sessions, DeadlockSettings settings) {
        this.context = new DeadlockContext(
                waits,
                slots,
                sessions,
                settings,
                new RepeatedWarning(log, sessions.timers(), BETWEEN_WARNINGS),
                new RepeatedWarning(log, sessions.timers(), BETWEEN_WARNINGS));
        this.rounds = new DeadlockRounds(context);
        this.sweeps = new RepeatedLook(
                sessions.timers(), settings.sweepInterval(), () -> !closed && !young.isEmpty(), this::sweep);
    }

    /** Checks the call from now on until it has ended, if it waits for long enough. */
    public void check(CheckedCall call) {
        if (!closed) {
            long number = calls.incrementAndGet();
            young.put(number, call);
            call.ended().whenComplete((ended, failure) -> young.remove(number));
            if (!young.isEmpty()) {
                sweeps.begin();
            }
        }
    }

    /** Begins no further checks. A check under way sends nothing more after the requests of the present round. */
    public void close() {
        closed = true;
        young.clear();
        rounds.close();
    }

    private void sweep() {
        long since = context.sessions().ticker().nanos()
                - context.settings().checkAfter().toNanos();
        young.forEach((number, call) -> {
            if (call.beganAt() - since <= 0 && call.isOfHolder() && young.remove(number, call)) {
                rounds.add(number, call);
            }
        });
        rounds.begin();
    }
}
