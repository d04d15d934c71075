package io.github.cassandralock.internal.steps;

import io.github.cassandralock.internal.time.Ticker;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A deadline on the local monotonic clock. It can be extended until a thread has seen that it has passed. From then on it stays
 * passed, so that no thread sees it passed first and not passed later. Thread-safe.
 */
public final class Deadline {

    /** Compared by identity, so that an extension fails if a thread saw the deadline pass after the extension was decided. */
    private record Until(long nanos) {}

    private final Ticker ticker;

    /** Null: a thread has seen that the deadline has passed. */
    private final AtomicReference<@Nullable Until> until;

    public Deadline(Ticker ticker, long nanos) {
        this.ticker = ticker;
        this.until = new AtomicReference<>(new Until(nanos));
    }

    /** Whether the deadline has passed. Once true, it is never false again. */
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
     * Moves the deadline to a later instant. An earlier instant changes nothing.
     *
     * @return false if the deadline had passed already, and therefore stays passed
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

    /** How many nanoseconds are left; zero or less if the deadline has passed. */
    public long left() {
        Until seen = until.get();
        return seen == null ? 0 : seen.nanos() - ticker.nanos();
    }
}
