package io.github.cassandralock.internal.session;

import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * What sessions work with.
 *
 * @param ids gives ids that no session of any process ever had
 * @param owner says to people whose sessions these are
 */
public record SessionContext(
        SessionStore store, SessionSettings settings, Ticker ticker, Timers timers, Supplier<UUID> ids, String owner) {

    /** Spreads small differences of the clock over all bits: the golden ratio's fraction times 2^64, as an odd number. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * An id that is used once. Copies of a machine may go on with the same random numbers, but hardly ever draw one at the
     * same nanosecond.
     */
    UUID newId() {
        UUID random = ids.get();
        return new UUID(random.getMostSignificantBits(), random.getLeastSignificantBits() ^ ticker.nanos() * SPREAD);
    }

    /** This process's row with this beat. */
    SessionRow row(Beat beat) {
        return SessionRow.alive(beat, settings.lease(), settings.clockDrift(), owner);
    }

    /** A timer; one that cannot be had is one that failed. */
    CompletableFuture<Void> after(Duration delay) {
        try {
            return timers.after(delay);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }
}
