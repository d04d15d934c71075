package io.github.cassandralock.internal.session;

import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of this process whose insert had no clear answer. No process uses them. But a row may exist, or come later, that
 * others treat as a live session, so it is declared dead. Thread-safe; never blocks.
 */
final class UnconfirmedSessions {

    /** While the store does not answer, a process may try to open thousands. Rows beyond this number expire. */
    private static final int MOST = 16;

    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final SessionContext context;
    private final AtomicInteger ending = new AtomicInteger();

    UnconfirmedSessions(SessionContext context) {
        this.context = context;
    }

    /**
     * Begins to declare the session dead, until an answer shows that it is. If the answer is that there is no row, the insert may
     * still be on its way. The declarations therefore continue for a lease after the first such answer.
     */
    void end(UUID session, Beat first) {
        if (ending.incrementAndGet() > MOST) {
            ending.decrementAndGet();
            return;
        }
        long until = context.ticker().nanos() + context.settings().rowLife().toNanos();
        declareDead(session, first, context.settings().retry(), until);
    }

    private void declareDead(UUID session, Beat first, Duration pause, long until) {
        Operation.begin(() -> context.store()
                        .declareDead(session, first, context.settings().rowLife()))
                .handle((outcome, failure) -> outcome)
                .thenAccept(outcome -> answered(session, first, pause, until, outcome));
    }

    private void answered(UUID session, Beat first, Duration pause, long until, @Nullable CasOutcome outcome) {
        long now = context.ticker().nanos();
        boolean absent =
                outcome instanceof CasOutcome.Refused refused && refused.seen().isEmpty();
        boolean over = outcome instanceof CasOutcome.Applied || (outcome instanceof CasOutcome.Refused && !absent);
        long end = absent ? Math.min(until - now, context.settings().lease().toNanos()) + now : until;
        if (over || end - now - pause.toNanos() < 0) {
            ending.decrementAndGet();
            return;
        }
        Duration next = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        context.timers().afterOrFailed(pause).whenComplete((done, failure) -> {
            if (failure == null) {
                declareDead(session, first, next, end);
            } else {
                ending.decrementAndGet();
            }
        });
    }
}
