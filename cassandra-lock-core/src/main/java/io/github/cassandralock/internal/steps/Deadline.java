package io.github.cassandralock.internal.steps;

import io.github.cassandralock.internal.time.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A deadline on the local monotonic clock. It can be extended until a thread has seen that it has passed. From then on it stays
 * passed, so that no thread sees it passed first and not passed later. Thread-safe.
 */
public final class Deadline {

    /** In place of an instant: a thread has seen that the deadline has passed. */
    private static final long PASSED = Long.MIN_VALUE;

    private final Ticker ticker;

    /** Replaced only by comparison: an extension fails if a thread saw the deadline pass after it was decided. */
    private final AtomicLong until;

    public Deadline(Ticker ticker, long nanos) {
        this.ticker = ticker;
        this.until = new AtomicLong(instant(nanos));
    }

    /** Adds a nanosecond in the one case in which the instant would equal {@link #PASSED}. */
    private static long instant(long nanos) {
        return nanos == PASSED ? nanos + 1 : nanos;
    }

    /** Whether the deadline has passed. Once true, it is never false again. */
    public boolean hasPassed() {
        for (long seen = until.get(); seen != PASSED; seen = until.get()) {
            if (ticker.nanos() - seen < 0) {
                return false;
            }
            until.compareAndSet(seen, PASSED);
        }
        return true;
    }

    /**
     * Moves the deadline to a later instant. An earlier instant changes nothing.
     *
     * @return false if the deadline had passed already, and therefore stays passed
     */
    public boolean extendTo(long nanos) {
        while (!hasPassed()) {
            long seen = until.get();
            if (seen != PASSED && (nanos - seen <= 0 || until.compareAndSet(seen, instant(nanos)))) {
                return true;
            }
        }
        return false;
    }

    /** The nanoseconds that are left; zero or less if the deadline has passed. */
    public long left() {
        long seen = until.get();
        return seen == PASSED ? 0 : seen - ticker.nanos();
    }
}
