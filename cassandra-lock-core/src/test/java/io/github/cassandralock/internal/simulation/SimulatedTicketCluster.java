package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.steps.PollBounds;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionStore;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotStore;
import io.github.cassandralock.internal.store.StoredValue;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.TicketSettings;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Three simulated replicas with the tables of the ticket lock. They can be emptied: all that follows goes to new
 * tables.
 */
final class SimulatedTicketCluster {

    private static final PollBounds POLL = new PollBounds(Duration.ofMillis(2), Duration.ofMillis(250));
    private static final Duration SLOWEST = Duration.ofMillis(3);
    private static final Duration LATEST = Duration.ofSeconds(6);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final SimulatedTime time;
    private final SplittableRandom random;
    private final SimulatedNetwork network;
    private final ProtocolCounters counters = new ProtocolCounters();
    private Tables tables;

    private final class Tables {

        private final SimulatedSlots slots = new SimulatedSlots(time, network, random.split(), Duration.ZERO);
        private final SimulatedSessions sessions = new SimulatedSessions(time, network, random.split());
        private final Map<SimulatedProcess, SlotStore> slotStores = new HashMap<>();
        private final Map<SimulatedProcess, SessionStore> sessionStores = new HashMap<>();
    }

    SimulatedTicketCluster(SimulatedTime time, SplittableRandom random, double lost, double late) {
        this.time = time;
        this.random = random;
        this.network = new SimulatedNetwork(
                time, random.split(), new FaultModel.Transport(SLOWEST, false, lost, late, LATEST, TIMEOUT));
        this.tables = new Tables();
    }

    void empty() {
        tables = new Tables();
    }

    /** @param process null: for all */
    void cut(@Nullable SimulatedProcess process, Duration length) {
        network.close(process, null, -1, Duration.ZERO, length);
    }

    void heal() {
        network.heal();
    }

    LockAlgorithm seenBy(SimulatedProcess process, Duration lease, double drift) {
        SplittableRandom ids = random.split();
        return new TicketAlgorithm(
                new PresentSlots(process),
                new SessionContext(
                        new PresentSessions(process),
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

    private final class PresentSlots implements SlotStore {

        private final SimulatedProcess process;

        PresentSlots(SimulatedProcess process) {
            this.process = process;
        }

        private SlotStore present() {
            return tables.slotStores.computeIfAbsent(process, tables.slots::seenBy);
        }

        @Override
        public CompletionStage<WriteOutcome> write(String lockId, Slot slot, long timestamp, Duration ttl) {
            return present().write(lockId, slot, timestamp, ttl);
        }

        @Override
        public CompletionStage<LockSlots> read(String lockId) {
            return present().read(lockId);
        }

        @Override
        public CompletionStage<WriteOutcome> reserve(String lockId, long lastToken) {
            return present().reserve(lockId, lastToken);
        }

        @Override
        public CompletionStage<WriteOutcome> openValue(String lockId, long token) {
            return present().openValue(lockId, token);
        }

        @Override
        public CompletionStage<WriteOutcome> closeValue(String lockId, long token, byte[] bytes) {
            return present().closeValue(lockId, token, bytes);
        }

        @Override
        public CompletionStage<StoredValue> readValue(String lockId) {
            return present().readValue(lockId);
        }

        @Override
        public CompletionStage<WriteOutcome> evict(String lockId, UUID session) {
            return present().evict(lockId, session);
        }
    }

    private final class PresentSessions implements SessionStore {

        private final SimulatedProcess process;

        PresentSessions(SimulatedProcess process) {
            this.process = process;
        }

        private SessionStore present() {
            return tables.sessionStores.computeIfAbsent(process, tables.sessions::seenBy);
        }

        @Override
        public CompletionStage<CasOutcome> open(UUID session, SessionRow row, Duration ttl) {
            return present().open(session, row, ttl);
        }

        @Override
        public CompletionStage<CasOutcome> renew(UUID session, Beat last, SessionRow row, Duration ttl) {
            return present().renew(session, last, row, ttl);
        }

        @Override
        public CompletionStage<CasOutcome> declareDead(UUID session, Beat last, Duration ttl) {
            return present().declareDead(session, last, ttl);
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID session) {
            return present().read(session);
        }
    }
}
