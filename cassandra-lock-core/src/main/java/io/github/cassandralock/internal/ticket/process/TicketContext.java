package io.github.cassandralock.internal.ticket.process;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;

/**
 * The objects that all locks of this process share.
 *
 * @param channel carries notices; {@link NoticeChannel#OFF} if this process exchanges none
 * @param noticeHealth whether notices arrive
 * @param handOverEstimates the first pauses of waiters
 * @param recentReleases which locks are worth keeping
 * @param sessionSettings how long sessions are valid
 * @param wallClock gives the floor of fencing tokens, nothing else
 * @param warnings the warnings about locks
 * @param counters count evictions and hand-overs
 * @param rowWrites bounds the writes that release and refresh rows, because a process may hold very many locks
 */
public record TicketContext(
        SlotStore store,
        SessionKeeper sessions,
        SessionWatch watch,
        NoticeChannel channel,
        NoticeHealth noticeHealth,
        HandOverEstimates handOverEstimates,
        RecentReleases recentReleases,
        SessionSettings sessionSettings,
        TicketSettings settings,
        Ticker ticker,
        Timers timers,
        WallClock wallClock,
        TicketWarnings warnings,
        ProtocolCounters counters,
        BoundedOperations rowWrites) {

    /** Whether the sessions of this process and of other processes exchange notices. */
    public boolean exchangesNotices() {
        return channel != NoticeChannel.OFF;
    }

    /** For how long after an acknowledged write was sent its row certainly exists, on the writer's clock. */
    public Duration certain() {
        return settings.certain(sessionSettings.clockDrift());
    }

    /** How often all slots are checked for a refresh that is due. */
    public Duration refreshInterval() {
        return Duration.ofNanos(certain().toNanos() / 8);
    }

    /** The age of the last acknowledged write at which a row is rewritten: at most half of its certain life. */
    public Duration refreshAge() {
        return Duration.ofNanos(refreshInterval().toNanos() * 3);
    }
}
