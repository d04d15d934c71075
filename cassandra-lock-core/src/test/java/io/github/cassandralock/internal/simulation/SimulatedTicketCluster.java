package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Three simulated replicas with the tables of the ticket lock. They can be emptied. A write that is under way then, or
 * late, reaches the empty tables.
 */
final class SimulatedTicketCluster {

    private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));
    private static final Duration SLOWEST = Duration.ofMillis(3);
    private static final Duration LATEST = Duration.ofSeconds(6);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final SplittableRandom random;
    private final SimulatedNetwork network;
    private final ProtocolCounters counters = new ProtocolCounters();
    private final SimulatedSlots slots;
    private final SimulatedSessions sessions;

    SimulatedTicketCluster(SimulatedTime time, SplittableRandom random, double lost, double late) {
        this.random = random;
        this.network = new SimulatedNetwork(
                time, random.split(), new FaultModel.Transport(SLOWEST, false, lost, late, LATEST, TIMEOUT));
        this.slots = new SimulatedSlots(time, network, random.split(), Duration.ZERO);
        this.sessions = new SimulatedSessions(time, network, random.split());
    }

    void empty(Loss loss) {
        if (loss.ofSlots()) {
            slots.empty();
        }
        if (loss.ofSessions()) {
            sessions.empty();
        }
    }

    /** @param process null: for all */
    void cut(@Nullable SimulatedProcess process, Duration length) {
        network.close(process, null, -1, Duration.ZERO, length);
    }

    /** The requests of this process arrive only after {@link #letThrough}; null: of none. */
    void holdBack(@Nullable SimulatedProcess process) {
        network.holdBack(process);
    }

    void letThrough() {
        network.letThrough();
    }

    void heal() {
        network.heal();
    }

    LockAlgorithm seenBy(SimulatedProcess process, Duration lease, double drift) {
        SplittableRandom ids = random.split();
        return new TicketAlgorithm(
                slots.seenBy(process),
                new SessionContext(
                        sessions.seenBy(process),
                        new SessionSettings(lease, drift),
                        process,
                        process,
                        () -> new UUID(ids.nextLong(), ids.nextLong()),
                        "simulated",
                        session -> Optional.empty(),
                        counters),
                TicketSettings.of(Duration.ofMillis(50), POLL),
                process);
    }
}
