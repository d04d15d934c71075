package io.github.cassandralock.internal.assembly;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.internal.cassandra.CqlPort;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.cassandra.StoredIds;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.driver.DriverThreads;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What an algorithm is made of, apart from its session.
 *
 * @param tuning times that no application chooses
 * @param notices the channel of notices, if this process exchanges any; called when Cassandra is there, because a node's address
 *        decides this process's address
 * @param counters count what the algorithms do
 * @param observer receives every request to the tables
 * @param owner the text by which administrators recognise the sessions of this process
 * @param threads watches the threads of the session
 */
public record AlgorithmParts(
        LockSettings settings,
        LockTuning tuning,
        Timers timers,
        WallClock wallClock,
        Supplier<Optional<NoticeTransport>> notices,
        ProtocolCounters counters,
        RequestObserver observer,
        String owner,
        DriverThreads threads) {

    TicketSettings tickets() {
        return TicketSettings.of(settings.longestHandOver()).keeping(tuning.keep());
    }

    /** Returns what sends requests by a port. Refuses a session as {@link #localQuorum} does. */
    CqlRequests requests(CqlPort port) {
        return new CqlRequests(
                port,
                settings.consistency(),
                settings.serialConsistency(),
                localQuorum(port.session()),
                new StoredIds(settings.prefix()),
                observer);
    }

    /**
     * Returns the quorum that answers. Refuses a driver that may send requests at a local consistency level to several data
     * centres.
     */
    LocalQuorum localQuorum(CqlSession session) {
        return LocalQuorum.of(
                settings.consistency().getLevel(),
                "Or set 'cassandra-lock.consistency: quorum' and 'cassandra-lock.serial-consistency: serial' in all instances.",
                session);
    }
}
