package io.github.cassandralock.example;

import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Takes a lock without a framework: what the core needs is a store, timers and a clock. */
final class PlainJavaProgram {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private PlainJavaProgram() {}

    public static void main(String[] lockIds) {
        InstantStore store = new InstantStore(new SimulatedTime());
        try (ScheduledTimers timers = new ScheduledTimers();
                AlgorithmLocker locker = new AlgorithmLocker(
                        ticketAlgorithm(store, timers), LEASE, Ticker.system(), timers, List.of())) {
            for (String lockId : lockIds) {
                try (RemoteLock lock = locker.getLock(lockId)) {
                    System.out.println(lock.getLockId() + " held: " + lock.isHeld() + ", refused to others: "
                            + locker.tryGetLock(lockId).isEmpty());
                }
            }
        }
    }

    private static TicketAlgorithm ticketAlgorithm(InstantStore store, ScheduledTimers timers) {
        return new TicketAlgorithm(
                store,
                new SessionContext(
                        store,
                        new SessionSettings(LEASE, 0.05),
                        Ticker.system(),
                        timers,
                        UUID::randomUUID,
                        "plain Java program"),
                TicketSettings.of(Duration.ofMillis(50), new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250))),
                () -> System.currentTimeMillis() * 1_000);
    }
}
