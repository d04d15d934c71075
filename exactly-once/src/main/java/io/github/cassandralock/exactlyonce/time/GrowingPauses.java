package io.github.cassandralock.exactlyonce.time;

import java.time.Duration;

/**
 * Pauses that double, up to a longest one. Immutable.
 *
 * @param first the first pause; more than zero
 * @param longest the longest pause; not less than the first
 */
public record GrowingPauses(Duration first, Duration longest) {

    /**
     * @throws IllegalArgumentException if the first pause is not positive, or the longest is shorter than the first
     */
    public GrowingPauses {
        if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "Pauses grow from a positive first one to a longest one that is not shorter," + " not from " + first
                            + " to " + longest);
        }
    }

    /** Begins a series of pauses. The series belongs to one thread. */
    public Series begin(Pauser pauser) {
        return new Series(pauser);
    }

    /** One series. Each pause is twice as long as the one before, up to the longest, until {@link #reset}. Not thread-safe. */
    public final class Series {

        private final Pauser pauser;
        private Duration next = first;
        private int count;

        private Series(Pauser pauser) {
            this.pauser = pauser;
        }

        /**
         * Waits for the next pause of the series.
         *
         * @throws InterruptedException if the thread was interrupted
         */
        public void pause() throws InterruptedException {
            Duration length = next;
            Duration doubled = length.multipliedBy(2);
            next = doubled.compareTo(longest) < 0 ? doubled : longest;
            count++;
            pauser.pause(length);
        }

        /** The number of pauses since the begin or the last reset. */
        public int getCount() {
            return count;
        }

        /** Begins again with the first pause. */
        public void reset() {
            next = first;
            count = 0;
        }
    }
}
