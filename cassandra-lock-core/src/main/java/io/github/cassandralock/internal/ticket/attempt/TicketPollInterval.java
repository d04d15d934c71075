package io.github.cassandralock.internal.ticket.attempt;

import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.process.HandOverEstimates;
import io.github.cassandralock.internal.ticket.process.NoticeHealth;
import java.time.Duration;
import java.util.stream.DoubleStream;

/**
 * How long a waiter pauses before its next read of the lock (protocol, section 8). A pause is long if many slots are ahead or the
 * lock is held for long. A pause is short if the waiter is next and hand-overs are quick. Belongs to one attempt; not
 * thread-safe.
 */
public final class TicketPollInterval {

    /*
     * A read that is too late delays all waiters. Hand-overs then seem slow, so all waiters read even later, and the lock
     * stalls. A read that is too early costs only one operation. Therefore a waiter pauses for less than the expected wait. The
     * waiter's estimate falls at once when hand-overs become faster, and rises slowly when they become slower. Therefore one slow
     * hand-over does not make later hand-overs seem slow. A waiter never pauses for much longer than it has waited already. A
     * waiter that is next begins with the shortest pause, whatever its estimate is.
     */

    /**
     * Hand-overs take different times, so the time that n of them take varies with the square root of n. A pause is shorter
     * than the expected time by this factor times √n hand-overs.
     */
    private static final double SPREAD = 0.5;

    /** By which factor the estimate may rise, at most, at each read and from one attempt to the next. */
    private static final double MOST_RISE = 1.25;

    /** A pause is at most this many times as long as the waiter has waited already. */
    private static final double PATIENCE = 1.5;

    /** The first pause spans at most this many hand-overs, because their present time has not been measured yet. */
    private static final double UNSEEN = 8;

    /**
     * The first pause may span this part of the tickets ahead if that is more than {@link #UNSEEN}. Such a waiter has time to
     * measure later.
     */
    private static final double UNSEEN_PART = 0.33;

    /**
     * The longest pause of a waiter with notices holds for at most so many turns ahead. With more turns ahead, the pause is
     * longer in proportion. Therefore the reads per second of very many waiters grow with the logarithm of their number.
     */
    private static final int NEAR = 16;

    /** The average of so many hand-overs is a good estimate of the remaining ones. */
    private static final int MANY = 16;

    /** A waiter that is next pauses for this part of the time for which the lock has not moved. */
    private static final double NEXT = 0.5;

    /** A turn is overdue at the latest when this many times the expected time has passed. */
    private static final double OVERDUE = 2;

    /**
     * A turn that takes long is overdue when this many times the expected time has passed. If a session directly ahead has
     * crashed, the lock is idle from the expected time on.
     */
    private static final double LONG_OVERDUE = 1.25;

    /** A turn is not overdue before so many of the shortest pauses, because a process may lack computing time. */
    private static final double OVERDUE_AFTER = 20;

    private final PollBounds next;
    private final PollBounds farBack;
    private final long announcedAt;
    private final long drawnAt;
    private final int atFirst;
    private final long expectedAtFirst;
    private double handOver;
    private double average;
    private int ahead;
    private long movedAt;

    /**
     * @param next the shortest and the longest pause of a waiter that is next
     * @param farBack the longest pause of a waiter that is not next
     * @param expected the first estimate
     * @param ahead how many turns of conflicting slots were ahead when the ticket was drawn
     * @param announcedAt when W1 was begun; monotonic, in nanoseconds
     * @param now when W2 was acknowledged; monotonic, in nanoseconds
     */
    TicketPollInterval(
            PollBounds next,
            Duration farBack,
            HandOverEstimates.Estimate expected,
            int ahead,
            long announcedAt,
            long now) {
        this.next = next;
        this.farBack = new PollBounds(next.min(), farBack.compareTo(next.max()) > 0 ? farBack : next.max());
        this.expectedAtFirst = expected.cautious();
        this.handOver = expected.cautious();
        this.average = expected.average();
        this.atFirst = ahead;
        this.ahead = ahead;
        this.announcedAt = announcedAt;
        this.drawnAt = now;
        this.movedAt = now;
    }

    /** The pause before the first read, which has to come well before the waiter's turn. Zero if the waiter may be next. */
    Duration beforeFirstLook() {
        if (ahead <= 1) {
            return Duration.ZERO;
        }
        double handOvers = Math.min(sleptThrough(), Math.max(UNSEEN, ahead * UNSEEN_PART));
        return farBack.clamp((long) (handOvers * handOver));
    }

    /**
     * The pause before the next read.
     *
     * @param nowAhead how many turns of those that conflicted when the ticket was drawn are still ahead
     * @param now monotonic, in nanoseconds
     */
    Duration pause(int nowAhead, long now) {
        adjust(nowAhead, now);
        double unmoved = now - movedAt;
        if (ahead <= 1) {
            return next.clamp((long) (unmoved * NEXT));
        }
        double expected = Math.max(sleptThrough() * handOver, unmoved);
        return farBack.clamp((long) Math.min(expected, (now - announcedAt) * PATIENCE));
    }

    /**
     * The times from now after which the turn of a waiter with notices is overdue.
     *
     * @param untilWaiting after this time the waiter sends WAITING again, because a notice may be lost; costs a message
     * @param untilRead after this time the waiter reads, because a session ahead may be gone; costs an operation
     */
    record Overdue(Duration untilWaiting, Duration untilRead) {

        private static Overdue both(Duration pause) {
            return new Overdue(pause, pause);
        }
    }

    /**
     * The pauses of a waiter that a notice informs of its turn.
     *
     * @param nowAhead how many of the turns that were ahead when the ticket was drawn are still ahead
     * @param now monotonic, in nanoseconds
     * @param trust how far the waiter relies on notices
     */
    Overdue untilOverdue(int nowAhead, long now, NoticeHealth.Trust trust) {
        adjust(nowAhead, now);
        double unmoved = now - movedAt;
        double expected = ahead * handOver;
        double soon = next.min().toNanos() * OVERDUE_AFTER;
        PollBounds bounds = overdueBounds();
        return switch (trust) {
            case LOST_LATELY -> Overdue.both((ahead > 1 ? bounds : next).clamp((long) Math.max(expected, unmoved)));
            case UNKNOWN -> Overdue.both(bounds.clamp(longest(overdue(expected), soon, unmoved)));
            case ARRIVING ->
                new Overdue(
                        bounds.clamp(longest(expected, soon, unmoved)),
                        bounds.clamp(longest(overdue(expected), overdue(ahead * average), soon, unmoved)));
        };
    }

    private double overdue(double expected) {
        double late = Math.max(expected * LONG_OVERDUE, expected + farBack.max().toNanos());
        return Math.min(expected * OVERDUE, late);
    }

    /**
     * The pause before the waiter sends WAITING once more, after no answer has come for the given time. It is short, because
     * only a notice that is sent shows whether a session ahead can still be reached.
     */
    Duration beforeRepeating(Duration waited) {
        return farBack.clamp((long) (waited.toNanos() * MOST_RISE));
    }

    private static long longest(double... nanos) {
        return (long) DoubleStream.of(nanos).max().orElseThrow();
    }

    /**
     * The estimate of a hand-over for the next attempt.
     *
     * @param now monotonic, in nanoseconds: the time at which the last blocker was gone
     */
    HandOverEstimates.Estimate measured(long now) {
        long took = (now - drawnAt) / atFirst;
        long cautious = Math.min(took, (long) (expectedAtFirst * MOST_RISE));
        return new HandOverEstimates.Estimate(cautious, atFirst >= MANY ? took : cautious);
    }

    private PollBounds overdueBounds() {
        return ahead <= NEAR
                ? farBack
                : new PollBounds(
                        farBack.min(), farBack.max().multipliedBy(ahead).dividedBy(NEAR));
    }

    /** The number of hand-overs to pause for: the hand-overs until the waiter is next, less the spread. */
    private double sleptThrough() {
        int untilNext = ahead - 1;
        return untilNext - SPREAD * Math.sqrt(untilNext);
    }

    private void adjust(int nowAhead, long now) {
        int handedOver = ahead - nowAhead;
        if (handedOver > 0) {
            double lately = (double) (now - movedAt) / handedOver;
            double altogether = (double) (now - announcedAt) / (atFirst - nowAhead);
            handOver = Math.min(Math.min(lately, altogether), handOver * MOST_RISE);
            average = atFirst - nowAhead >= MANY ? altogether : handOver;
            movedAt = now;
        }
        ahead = nowAhead;
    }
}
