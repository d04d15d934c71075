package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.cassandra.CassandraBirthStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.cassandra.StoredIds;
import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.majority.Maturity;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The birth row on a real node: it is lost with either table, one of those who write at once wins, and no marks are left
 * that are of no use. It costs a few seconds; the simulation knows neither the two tables nor the marks.
 */
@Tag("slow")
@ExtendWith(SharedCassandra.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BirthRowIT {

    private static final Duration SOON = Duration.ofSeconds(30);

    private final String keyspace = "ks_" + UUID.randomUUID().toString().replace("-", "");
    private final Application application;
    private final CassandraBirthStore births;

    BirthRowIT(CassandraCluster cluster) {
        Application.createKeyspace(cluster, keyspace, 1);
        application = Application.start(cluster, "--cassandra-lock.keyspace=" + keyspace);
        births = store();
    }

    /** As each process has one. */
    private CassandraBirthStore store() {
        return new CassandraBirthStore(
                new CqlRequests(
                        application::session,
                        LockConsistency.QUORUM,
                        LockSerialConsistency.SERIAL,
                        LocalQuorum.NOT_USED,
                        StoredIds.WITHOUT_PREFIX,
                        RequestObserver.NONE),
                table(LockTable.SLOTS),
                table(LockTable.SESSIONS));
    }

    private QualifiedTable table(LockTable table) {
        return new QualifiedTable(CqlIdentifier.fromInternal(keyspace), table);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private static <T> T ended(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static Birth fresh() {
        return new Birth(UUID.randomUUID(), "cluster a of a,b,c", Maturity.YOUNG);
    }

    private Optional<Birth> read() throws Exception {
        return ended(births.read());
    }

    private int marks() {
        return application
                .session()
                .execute("SELECT session FROM " + keyspace + ".lock_slots WHERE lock_id = ?", "\u0001births")
                .all()
                .size();
    }

    private void truncate(String table) {
        application.session().execute("TRUNCATE " + keyspace + "." + table);
    }

    private static void writeAtOnce(List<CassandraBirthStore> processes) throws Exception {
        ended(CompletableFuture.allOf(processes.stream()
                .map(process -> process.write(fresh()).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new)));
    }

    @Test
    void birthIsReadAsItWasWrittenAndBecomesMatureInItsIncarnationOnly() throws Exception {
        Birth birth = fresh();
        assertThat(read()).isEmpty();
        ended(births.write(birth));
        assertThat(read()).contains(birth);
        ended(births.ripen(UUID.randomUUID(), Maturity.MATURE));
        assertThat(read()).contains(birth);
        ended(births.ripen(birth.incarnation(), Maturity.MATURE));
        assertThat(read().orElseThrow().maturity()).isEqualTo(Maturity.MATURE);
    }

    @Test
    void birthIsLostWithEitherTableAndItsMarkIsDeleted() throws Exception {
        for (String table : new String[] {"lock_slots", "lock_sessions"}) {
            ended(births.write(fresh()));
            assertThat(read()).isPresent();
            truncate(table);
            assertThat(read()).as("birth without %s", table).isEmpty();
            Birth next = fresh();
            ended(births.write(next));
            assertThat(read()).contains(next);
            await().atMost(SOON).untilAsserted(() -> assertThat(marks()).isEqualTo(1));
        }
    }

    @Test
    void processThatFindsABirthLeavesNoMark() throws Exception {
        Birth birth = fresh();
        ended(births.write(birth));
        ended(store().write(fresh()));
        assertThat(read()).contains(birth);
        assertThat(marks()).isEqualTo(1);
    }

    @Test
    void processesThatWriteAtOnceWriteOneBirthAndLeaveOneMark() throws Exception {
        List<CassandraBirthStore> processes =
                Stream.generate(this::store).limit(8).toList();
        writeAtOnce(processes);
        assertThat(read()).isPresent();
        // A mark whose deletion had no answer is deleted by the next write of its process.
        await().atMost(SOON).untilAsserted(() -> {
            writeAtOnce(processes);
            assertThat(marks()).isEqualTo(1);
        });
    }

    @Test
    void instanceOfTicketOpensNoSessionWhileThereIsABirthRow() throws Exception {
        ended(births.write(fresh()));
        assertThatThrownBy(() -> application.locker().getLock("k", SOON))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("'k'", keyspace, "belong to the algorithm 'majority'");
        application
                .session()
                .execute("DELETE FROM " + keyspace + ".lock_sessions WHERE session = " + new UUID(0, 1) + " IF EXISTS");
        application.locker().getLock("k", SOON).close();
    }
}
