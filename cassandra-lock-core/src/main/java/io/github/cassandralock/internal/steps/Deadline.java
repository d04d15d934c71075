package io.github.cassandralock.internal.steps;

import io.github.cassandralock.internal.time.Ticker;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The end of a time span on the local monotonic clock. It can be extended until a thread has seen it pass; from then on it
 * stays passed, so that no thread reads "passed" and later "not passed". Thread-safe.
 */
public final class Deadline {

    /** Compared by identity: an extension that was decided before a thread saw the deadline pass must not be made. */
    private record Until(long nanos) {}

    private final Ticker ticker;

    /** Null: a thread has seen it pass. */
    private final AtomicReference<@Nullable Until> until;

    public Deadline(Ticker ticker, long nanos) {
        this.ticker = ticker;
        this.until = new AtomicReference<>(new Until(nanos));
    }

    /** Whether it has passed. Never false again once true. */
    public boolean hasPassed() {
        for (Until seen = until.get(); seen != null; seen = until.get()) {
            if (ticker.nanos() - seen.nanos() < 0) {
                return false;
            }
            until.compareAndSet(seen, null);
        }
        return true;
    }

    /**
     * Moves it to a later instant. An earlier one changes nothing.
     *
     * @return false if it had passed already: it stays so
     */
    public boolean extendTo(long nanos) {
        while (!hasPassed()) {
            Until seen = until.get();
            if (seen != null && (nanos - seen.nanos() <= 0 || until.compareAndSet(seen, new Until(nanos)))) {
                return true;
            }
        }
        return false;
    }

    /** How many nanoseconds are left; zero or less if it has passed. */
    public long left() {
        Until seen = until.get();
        return seen == null ? 0 : seen.nanos() - ticker.nanos();
    }
}
