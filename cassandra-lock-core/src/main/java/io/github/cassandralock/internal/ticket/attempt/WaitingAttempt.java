package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.ticket.process.HandOverEstimates;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt that waits, without a limit of its own, until it is its turn. If the lock does not move, it watches the
 * sessions ahead.
 */
public final class WaitingAttempt extends SlotAttempt {

    private static final Logger log = LoggerFactory.getLogger(WaitingAttempt.class);

    /** The slots that the first pause counts. */
    private List<Slot> counted = List.of();

    /** The slots that the last read showed in the way. */
    private List<Slot> ahead = List.of();

    private @Nullable TicketPollInterval pollInterval;

    /** Whether a notice should end the present wait. */
    private boolean awaitsNotice;

    private volatile @Nullable FirstBlocker firstBlocker;

    /**
     * The first blocker.
     *
     * @param since when a read first showed this slot as the first blocker
     */
    private record FirstBlocker(Slot slot, long since) {}

    public WaitingAttempt(
            SlotNotices notices,
            Claim claim,
            boolean sharersGone,
            Optional<OwnRow> replaced,
            Consumer<Report> reports) {
        super(notices, claim, sharersGone, replaced, reports);
    }

    @Override
    public void start() {
        announce();
    }

    /** A conversion that only waits for threads of its own process has no hand-over to estimate. */
    @Override
    void ticketAcknowledged(List<Slot> conflicting) {
        ahead = conflicting;
        if (!conflicting.isEmpty()) {
            beginPolling(conflicting);
        }
        if (context().exchangesNotices() || conflicting.isEmpty()) {
            lookAtBlockers();
        } else {
            steps().pauseThen(pollInterval().beforeFirstLook(), this::lookAtBlockers);
        }
    }

    /**
     * If there is no estimate for the lock, the first estimate is the time that W1, R1 and W2 took. A hand-over takes about as
     * long, because it is a release, a pause, and a read that shows the release.
     */
    private void beginPolling(List<Slot> conflicting) {
        long now = context().ticker().nanos();
        counted = conflicting;
        pollInterval = new TicketPollInterval(
                context().settings().poll(),
                context().sessionSettings().patience(),
                context().handOverEstimates().expected(lockId(), HandOverEstimates.Estimate.guess(now - announcedAt())),
                turns(conflicting),
                announcedAt(),
                now);
    }

    private int turns(List<Slot> slots) {
        return Bakery.turns(slots, claim().permits());
    }

    private TicketPollInterval pollInterval() {
        return Objects.requireNonNull(pollInterval, "no ticket has been drawn");
    }

    /** The pause does not depend on slots that came after the ticket was drawn: their tickets will be higher. */
    @Override
    void blockedBy(List<Slot> blockers) {
        ahead = blockers;
        if (pollInterval == null) {
            beginPolling(blockers);
        }
        long now = context().ticker().nanos();
        watch().watch(isStuck(firstBlocker(blockers, now), now) ? Bakery.toWatch(blockers, steps()::isOwn) : Set.of());
        int turns = turns(Bakery.stillThere(counted, blockers));
        awaitsNotice = mayExpectNotice();
        if (reliesOnNotices()) {
            pauseForNotice(pollInterval()
                    .untilOverdue(turns, now, context().noticeHealth().trust()));
        } else {
            steps().pauseThen(pollInterval().pause(turns, now), this::lookAtBlockersAgain);
        }
    }

    private void pauseForNotice(TicketPollInterval.Overdue overdue) {
        long now = context().ticker().nanos();
        sendWaitingOrRead(overdue.untilWaiting(), now + overdue.untilRead().toNanos());
    }

    /**
     * Sends WAITING to those directly ahead after each pause, each of which is a quarter longer than the one before. Reads the
     * lock instead when a read is due, a pause was ended early, or a session ahead is dead. A session directly ahead that cannot be
     * reached any more has the same effect.
     */
    private void sendWaitingOrRead(Duration pause, long readsAt) {
        long pauseEndsAt = context().ticker().nanos() + pause.toNanos();
        steps().pauseThen(pause, () -> {
            long now = context().ticker().nanos();
            if (now - pauseEndsAt < 0
                    || now - readsAt >= 0
                    || watch().hasDead()
                    || !mayReach(sessionsDirectlyAhead())) {
                lookAtBlockersAgain();
            } else {
                lastBlockers().sendWaitingAgain();
                sendWaitingOrRead(
                        shorter(pollInterval().beforeRepeating(pause), Duration.ofNanos(readsAt - now)), readsAt);
            }
        });
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Watches the sessions ahead in the background. Without that, a crashed session would keep the lock from callers that always
     * wait for less than a lease.
     */
    @Override
    public void cancel() {
        super.cancel();
        BackgroundEviction.watch(partition(), ahead);
    }

    /** Whether the slots directly ahead are likely to report their end by a notice. Slots of this process always report it. */
    private boolean reliesOnNotices() {
        return awaitsNotice
                ? !context().noticeHealth().isBroken()
                : sessionsDirectlyAhead().isEmpty();
    }

    /** Whether a notice of each session directly ahead should end the wait. */
    private boolean mayExpectNotice() {
        List<UUID> others = sessionsDirectlyAhead();
        return !others.isEmpty() && mayReach(others);
    }

    private boolean mayReach(List<UUID> others) {
        return others.stream().allMatch(context().channel()::mayReach);
    }

    /** The other sessions whose slots are directly ahead. */
    private List<UUID> sessionsDirectlyAhead() {
        return lastBlockers().slots().stream()
                .map(Slot::session)
                .filter(session -> !steps().isOwn(session))
                .toList();
    }

    /** An attempt that returned with a promised ticket and met no blocker has not waited, so it measures nothing. */
    @Override
    void turnCame(TurnSource source) {
        if (source == TurnSource.NOTICE) {
            context().noticeHealth().arrived();
        } else if (source == TurnSource.READ && awaitsNotice) {
            context().noticeHealth().missed();
        }
        if (pollInterval != null) {
            context()
                    .handOverEstimates()
                    .note(lockId(), pollInterval.measured(context().ticker().nanos()));
        }
    }

    private FirstBlocker firstBlocker(List<Slot> blockers, long now) {
        Slot first = blockers.get(0);
        FirstBlocker before = firstBlocker;
        if (before != null && Bakery.isSameAttempt(before.slot(), first)) {
            return before;
        }
        FirstBlocker present = new FirstBlocker(first, now);
        firstBlocker = present;
        logWait(first, blockers.size());
        return present;
    }

    /** Logs once for each first blocker, and not at each read. */
    private void logWait(Slot first, int ahead) {
        if (log.isDebugEnabled()) {
            log.debug(
                    "Lock '{}': waiting behind {} others; first is session {} ({}), {}",
                    lockId(),
                    ahead,
                    first.session(),
                    context().watch().owner(first.session()).orElse("its owner is still unknown"),
                    first.phase() == SlotPhase.CHOOSING
                            ? "which has yet to draw a ticket or has none"
                            : "with ticket " + first.ticket());
        }
    }

    @Override
    Optional<Obstacle> firstBlocker() {
        return Optional.ofNullable(firstBlocker)
                .map(first -> new Obstacle.Taken(
                        context().watch().owner(first.slot().session()),
                        Duration.ofNanos(context().ticker().nanos() - first.since())));
    }

    /** Sessions are watched only if the lock does not move. With many waiters, the watch would cost more than the lock. */
    private boolean isStuck(FirstBlocker first, long now) {
        return now - first.since() >= context().sessionSettings().patience().toNanos();
    }
}
