package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.session.SessionWatch;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.ticket.process.HandOverEstimates;
import io.github.cassandralock.internal.ticket.process.NoticeHealth;
import io.github.cassandralock.internal.ticket.process.RecentReleases;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.process.TicketWarnings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** The algorithm ticket over a store whose answers the test decides, in simulated time. */
abstract class ScriptedStoreTest {

    static final Duration LEASE = Duration.ofSeconds(15);
    static final TicketSettings TERMS =
            TicketSettings.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250)));

    final SimulatedTime time = new SimulatedTime();
    final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    final ScriptedStore store = new ScriptedStore(time);
    final AtomicLong ids = new AtomicLong();
    final SessionContext sessions = new SessionContext(
            store,
            new SessionSettings(LEASE, 0.05),
            process,
            process,
            () -> new UUID(0, ids.incrementAndGet()),
            "test");

    TicketContext context(SessionKeeper keeper) {
        return new TicketContext(
                store,
                keeper,
                new SessionWatch(sessions),
                NoticeChannel.OFF,
                new NoticeHealth(),
                new HandOverEstimates(),
                new RecentReleases(Duration.ZERO),
                sessions.settings(),
                TERMS,
                process,
                process,
                process,
                TicketWarnings.with(process),
                sessions.counters(),
                new BoundedOperations());
    }

    static Slot other(SlotPhase phase, long ticket) {
        return new Slot(new SlotId(new UUID(7, 1), 0), 1, phase, LockMode.EXCLUSIVE, ticket);
    }

    static Optional<WriteOutcome> unacknowledged() {
        return Optional.of(new WriteOutcome.Unknown(new TimeoutException("no quorum")));
    }

    TicketAlgorithm algorithm() {
        return new TicketAlgorithm(store, sessions, TERMS, process);
    }

    static CompletableFuture<Optional<Grant>> outcome(Attempt attempt) {
        return attempt.getOutcome().toCompletableFuture();
    }

    static Grant granted(Attempt attempt) {
        return outcome(attempt).getNow(Optional.empty()).orElseThrow();
    }

    CompletableFuture<Optional<Grant>> acquire() {
        return outcome(algorithm().acquire(AcquireRequest.waits("lock", "thread")));
    }
}
