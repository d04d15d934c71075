package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.cassandra.CassandraInspectionStore;
import io.github.cassandralock.internal.cassandra.CassandraSlotStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.cassandra.StoredIds;
import io.github.cassandralock.internal.inspect.InspectedSlot;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The rows of slots on a real node: what is written is read, by the locks and by the endpoint, and an eviction leaves nothing of a
 * session. It costs a few seconds, and would catch a column that is bound or read wrongly, which the simulation cannot.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SlotTableIT {

    private static final Duration LIFE = Duration.ofHours(1);
    private static final UUID SESSION = new UUID(7, 1);
    private static final UUID OTHER = new UUID(7, 2);

    private final String keyspace = "ks_" + UUID.randomUUID().toString().replace("-", "");
    private final String lockId = "slots";
    private final Application application;
    private final CassandraSlotStore slots;
    private final CassandraInspectionStore inspection;

    SlotTableIT(CassandraCluster cluster) {
        Application.createKeyspace(cluster, keyspace, 1);
        application = Application.start(cluster, "--cassandra-lock.keyspace=" + keyspace);
        CqlRequests requests = new CqlRequests(
                application::session,
                LockConsistency.QUORUM,
                LockSerialConsistency.SERIAL,
                LocalQuorum.NOT_USED,
                StoredIds.WITHOUT_PREFIX,
                RequestObserver.NONE);
        slots = new CassandraSlotStore(requests, table(LockTable.SLOTS));
        inspection = new CassandraInspectionStore(
                requests, table(LockTable.SLOTS), table(LockTable.SESSIONS), lease -> lease);
    }

    private QualifiedTable table(LockTable table) {
        return new QualifiedTable(CqlIdentifier.fromInternal(keyspace), table);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static Slot slot(UUID session, int number, LockMode mode) {
        return new Slot(new SlotId(session, number), number + 1, SlotPhase.TICKETED, mode, 100 + number);
    }

    private void write(String lock, Slot slot) throws Exception {
        assertThat(await(slots.write(lock, slot, slot.attempt(), LIFE))).isEqualTo(WriteOutcome.APPLIED);
    }

    @Test
    void slotsOfOneSessionAreReadAsTheyWereWrittenInTheOrderOfTheirNumbers() throws Exception {
        String lock = lockId + ":modes";
        List<LockMode> modes = List.of(LockMode.values());
        List<Slot> written = IntStream.range(0, modes.size())
                .mapToObj(number -> slot(SESSION, number, modes.get(number)))
                .toList();
        Slot highest = slot(SESSION, SlotId.HIGHEST, LockMode.EXCLUSIVE);
        write(lock, highest);
        for (Slot slot : written) {
            write(lock, slot);
        }
        assertThat(await(slots.read(lock)).slots())
                .startsWith(written.toArray(new Slot[0]))
                .endsWith(highest);
        assertThat(await(inspection.slots(lock)).slots())
                .extracting(InspectedSlot::slot)
                .startsWith(written.toArray(new Slot[0]))
                .endsWith(highest);
    }

    @Test
    void modeThatIsNotKnownIsExclusive() throws Exception {
        String lock = lockId + ":unknown";
        write(lock, slot(SESSION, 0, LockMode.PROTECTED_READ));
        application
                .session()
                .execute(
                        "UPDATE " + keyspace
                                + ".lock_slots SET mode = 99 WHERE lock_id = ? AND session = ? AND slot = 0",
                        lock,
                        SESSION);
        assertThat(await(slots.read(lock)).slots())
                .singleElement()
                .extracting(Slot::mode)
                .isEqualTo(LockMode.EXCLUSIVE);
    }

    @Test
    void evictionDeletesAllSlotsOfTheSessionAlsoThoseWhoseWritesComeLate() throws Exception {
        String lock = lockId + ":evicted";
        Slot others = slot(OTHER, 0, LockMode.PROTECTED_READ);
        write(lock, slot(SESSION, 0, LockMode.PROTECTED_READ));
        write(lock, slot(SESSION, 3, LockMode.EXCLUSIVE));
        write(lock, others);
        assertThat(await(slots.reserve(lock, 1_024))).isEqualTo(WriteOutcome.APPLIED);
        assertThat(await(slots.evict(lock, SESSION))).isEqualTo(WriteOutcome.APPLIED);
        write(lock, slot(SESSION, 0, LockMode.EXCLUSIVE));
        write(lock, slot(SESSION, 8, LockMode.EXCLUSIVE));
        LockSlots left = await(slots.read(lock));
        assertThat(left.slots()).containsExactly(others);
        assertThat(left.lastToken()).hasValue(1_024);
    }
}
