package io.github.cassandralock.internal.session;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The objects that all sessions of this process share.
 *
 * @param ids supplies ids that no session of any process has had before
 * @param owner host and process, for people who read the table of sessions
 * @param contacts supplies the contact of a new session, where it receives notices; empty if it exchanges none
 * @param counters count renewals, losses and deaths of sessions
 */
public record SessionContext(
        SessionStore store,
        SessionSettings settings,
        Ticker ticker,
        Timers timers,
        Supplier<UUID> ids,
        String owner,
        Function<UUID, Optional<Contact>> contacts,
        ProtocolCounters counters) {

    /** Creates a context for sessions that exchange no notices, with counters of its own. */
    public SessionContext(
            SessionStore store,
            SessionSettings settings,
            Ticker ticker,
            Timers timers,
            Supplier<UUID> ids,
            String owner) {
        this(store, settings, ticker, timers, ids, owner, session -> Optional.empty(), new ProtocolCounters());
    }

    /** Spreads small differences of the clock over all bits: the golden ratio's fraction times 2^64, as an odd number. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    /**
     * Returns an id that is used once. Copies of a machine may continue with the same random numbers. Therefore the time in
     * nanoseconds is mixed in. Two copies hardly ever draw an id at the same nanosecond.
     */
    UUID newId() {
        UUID random = ids.get();
        return new UUID(random.getMostSignificantBits(), random.getLeastSignificantBits() ^ ticker.nanos() * SPREAD);
    }

    /** The row of this process's session with this beat and contact. */
    SessionRow row(Beat beat, Optional<Contact> contact) {
        return SessionRow.alive(beat, settings.lease(), settings.clockDrift(), owner)
                .with(contact);
    }
}
