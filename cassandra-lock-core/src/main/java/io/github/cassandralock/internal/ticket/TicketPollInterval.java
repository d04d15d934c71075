package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.steps.PollBounds;
import java.time.Duration;

/**
 * How long to pause before the next look at those ahead (protocol, section 8): rarely when far back or when the lock is
 * held for long, often when next and hand-overs are quick. One attempt's; not thread-safe.
 */
final class TicketPollInterval {

    /*
     * Looking too late costs everybody time and makes hand-overs seem slow, so that all look later still and the lock
     * stalls; looking too early costs one operation. Hence: sleep for less than the expected wait; be quick to believe
     * that hand-overs are quick and slow to believe that they are slow, so that one that stalled does not make all that
     * follow seem slow; never sleep for much longer than has been waited already; and, when next, begin with the shortest
     * pause whatever is expected.
     */

    /**
     * Hand-overs differ from each other, so that the time that several take spreads with the square root of their number:
     * this times so many hand-overs are left of what is slept through.
     */
    private static final double SPREAD = 0.5;

    /** By how much hand-overs may seem slower than before at each look, and from one attempt to the next. */
    private static final double DISBELIEF = 1.25;

    /** A pause is at most this many times what has been waited already. */
    private static final double PATIENCE = 1.5;

    /** The first pause spans at most so many hand-overs, since how long they take now is not known by then, ... */
    private static final double UNSEEN = 8;

    /** ... or this part of them all: who is far back has time to find out. */
    private static final double UNSEEN_PART = 0.33;

    /** The part of the time for which the lock has not moved that the waiter who is next sleeps for. */
    private static final double NEXT = 0.5;

    private final PollBounds next;
    private final PollBounds farBack;
    private final long announcedAt;
    private final long drawnAt;
    private final int atFirst;
    private final long expectedAtFirst;
    private double handOver;
    private int ahead;
    private long movedAt;

    /**
     * @param next the pauses of a waiter that is next
     * @param farBack the longest pause of a waiter that is not next
     * @param expectedHandOver what to begin with, in nanoseconds
     * @param ahead how many were there when the ticket was drawn
     * @param announcedAt when W1 was first sent; monotonic, in nanoseconds
     * @param now the same: the ticket has been drawn
     */
    TicketPollInterval(
            PollBounds next, Duration farBack, long expectedHandOver, int ahead, long announcedAt, long now) {
        this.next = next;
        this.farBack = new PollBounds(next.min(), farBack.compareTo(next.max()) > 0 ? farBack : next.max());
        this.expectedAtFirst = expectedHandOver;
        this.handOver = expectedHandOver;
        this.atFirst = ahead;
        this.ahead = ahead;
        this.announcedAt = announcedAt;
        this.drawnAt = now;
        this.movedAt = now;
    }

    /** Before the first look: it need only come well before the turn does. Zero if that may be soon. */
    Duration beforeFirstLook() {
        if (ahead <= 1) {
            return Duration.ZERO;
        }
        double handOvers = Math.min(sleptThrough(), Math.max(UNSEEN, ahead * UNSEEN_PART));
        return farBack.clamp((long) (handOvers * handOver));
    }

    /**
     * Before the next look.
     *
     * @param nowAhead how many of those who were there when the ticket was drawn are still ahead
     * @param now monotonic, in nanoseconds
     */
    Duration pause(int nowAhead, long now) {
        learn(nowAhead, now);
        double unmoved = now - movedAt;
        if (ahead <= 1) {
            return next.clamp((long) (unmoved * NEXT));
        }
        double expected = Math.max(sleptThrough() * handOver, unmoved);
        return farBack.clamp((long) Math.min(expected, (now - announcedAt) * PATIENCE));
    }

    /**
     * What the next attempt is to expect of a hand-over, in nanoseconds.
     *
     * @param now monotonic, in nanoseconds: nobody is ahead any more
     */
    long learned(long now) {
        long average = (now - drawnAt) / atFirst;
        return Math.min(average, (long) (expectedAtFirst * DISBELIEF));
    }

    /** In hand-overs: until it is next, less what they spread. */
    private double sleptThrough() {
        int untilNext = ahead - 1;
        return untilNext - SPREAD * Math.sqrt(untilNext);
    }

    private void learn(int nowAhead, long now) {
        int handedOver = ahead - nowAhead;
        if (handedOver > 0) {
            double lately = (double) (now - movedAt) / handedOver;
            double altogether = (double) (now - announcedAt) / (atFirst - nowAhead);
            handOver = Math.min(Math.min(lately, altogether), handOver * DISBELIEF);
            movedAt = now;
        }
        ahead = nowAhead;
    }
}
