package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.cassandra.CassandraSessionStore;
import io.github.cassandralock.internal.cassandra.CassandraSlotStore;
import io.github.cassandralock.internal.cassandra.CqlRequests;
import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.QualifiedTable;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.cassandra.StoredIds;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.CasOutcome;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the application's driver profile says about retries must not turn fewer replicas into a quorum. Here no quorum can be
 * had: the keyspace is replicated to more nodes than there are, or a node is down.
 */
@ExtendWith(SharedCassandra.class)
@Tag("slow")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class QuorumAnswersIT {

    private static final Duration LIFE = Duration.ofMinutes(5);

    private final CassandraCluster cluster;
    private final String keyspace = "ks_" + UUID.randomUUID().toString().replace("-", "");

    QuorumAnswersIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    private Application start(String driverProfile, String... more) {
        return start(cluster, 1, driverProfile, more);
    }

    private Application start(CassandraCluster on, int replicas, String driverProfile, String... more) {
        Application.createKeyspace(on, keyspace, replicas);
        List<String> arguments = on.arguments();
        arguments.add("--cassandra-lock.keyspace=" + keyspace);
        arguments.add("--cassandra-lock.lease=2s");
        arguments.add("--spring.cassandra.config=classpath:" + driverProfile);
        arguments.addAll(Arrays.asList(more));
        return Application.run(List.of(Application.Configuration.class), arguments);
    }

    private void makeQuorumImpossible() {
        Application.execute(
                cluster,
                "ALTER KEYSPACE " + keyspace
                        + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 20}");
    }

    private QualifiedTable table(LockTable table) {
        return new QualifiedTable(CqlIdentifier.fromInternal(keyspace), table);
    }

    private static CqlRequests requests(CqlSession session) {
        return new CqlRequests(
                () -> session,
                LockConsistency.QUORUM,
                LockSerialConsistency.SERIAL,
                LocalQuorum.NOT_USED,
                StoredIds.WITHOUT_PREFIX,
                RequestObserver.NONE);
    }

    private static Slot slot() {
        return new Slot(new SlotId(UUID.randomUUID(), 0), 1, SlotPhase.TICKETED, LockMode.EXCLUSIVE, 1);
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(1, TimeUnit.MINUTES);
    }

    private static void assertUnusable(WriteOutcome outcome, String text) {
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        WriteOutcome.Unknown.class,
                        unknown -> assertThat(unknown.cause()).hasMessageContainingAll(text, "retry policy"));
    }

    @Test
    void answersAtALowerConsistencyCountAsNone() throws Exception {
        try (Application application = start("downgrading-retries.conf")) {
            CassandraSlotStore slots = new CassandraSlotStore(requests(application.session()), table(LockTable.SLOTS));
            assertThat(await(slots.write("k", slot(), 1, LIFE))).isEqualTo(WriteOutcome.APPLIED);
            makeQuorumImpossible();
            assertUnusable(
                    await(slots.write("k", slot(), 1, LIFE)), "was sent at consistency QUORUM and was answered at ONE");
            assertUnusable(await(slots.reserve("k", 7)), "was sent at consistency QUORUM and was answered at ONE");
            assertThatThrownBy(() -> await(slots.read("k")))
                    .hasStackTraceContaining("was sent at consistency QUORUM and was answered at ONE");
        }
    }

    @Test
    void failuresThatARetryPolicyIgnoresAreNoSuccess() throws Exception {
        try (Application application = start("ignoring-retries.conf")) {
            CassandraSlotStore slots = new CassandraSlotStore(requests(application.session()), table(LockTable.SLOTS));
            makeQuorumImpossible();
            assertUnusable(await(slots.write("k", slot(), 1, LIFE)), "the failure was ignored");
            assertThatThrownBy(() -> await(slots.read("k"))).hasStackTraceContaining("the failure was ignored");
        }
    }

    @Test
    void sessionIsNotOpenIfTheFailureToOpenItWasIgnored() {
        try (LocalCassandra two = LocalCassandra.start(2);
                Application application = start(CassandraCluster.local(two), 2, "ignoring-retries.conf")) {
            CassandraSessionStore sessions = new CassandraSessionStore(
                    requests(application.session()), table(LockTable.SESSIONS), CassandraSessionStore.UNCHECKED);
            two.node(2).stop();
            Awaitility.await("the other node's word that it is alone")
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(await(sessions.open(UUID.randomUUID(), row(), LIFE)))
                            .isInstanceOfSatisfying(
                                    CasOutcome.Unknown.class,
                                    unknown -> assertThat(unknown.cause())
                                            .hasMessageContaining("the failure was ignored")));
        }
    }

    private static SessionRow row() {
        return SessionRow.alive(new Beat(0, UUID.randomUUID()), Duration.ofSeconds(15), 0.05, "test");
    }

    @Test
    void noLockIsGrantedByAMinority() {
        try (Application application = start("downgrading-retries.conf", "--cassandra-lock.algorithm=queue")) {
            application.locker().getLock("k").close();
            makeQuorumImpossible();
            assertThatThrownBy(() -> application.locker().tryGetLock("k"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContaining("was answered at ONE");
        }
    }

    @Test
    void lockThatIsReadInSeveralPagesIsNotRead() throws Exception {
        try (Application application = start("downgrading-retries.conf")) {
            CassandraSlotStore slots =
                    new CassandraSlotStore(requests(pagedByTwo(application.session())), table(LockTable.SLOTS));
            for (int sessions = 1; sessions <= 3; sessions++) {
                await(slots.write("k", slot(), 1, LIFE));
                if (sessions == 1) {
                    assertThat(await(slots.read("k")).slots()).hasSize(1);
                }
            }
            assertThatThrownBy(() -> await(slots.read("k"))).hasStackTraceContaining("came in several pages");
        }
    }

    /** As a session does that an application wraps. */
    private static CqlSession pagedByTwo(CqlSession session) {
        return (CqlSession) Proxy.newProxyInstance(
                CqlSession.class.getClassLoader(), new Class<?>[] {CqlSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().startsWith("execute")
                            && arguments.length == 1
                            && arguments[0] instanceof Statement<?> statement) {
                        arguments[0] = statement.setPageSize(2);
                    }
                    try {
                        return method.invoke(session, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
