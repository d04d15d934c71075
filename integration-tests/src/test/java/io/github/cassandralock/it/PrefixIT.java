package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.fasterxml.jackson.databind.JsonNode;
import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.builder.CloseableLocker;
import io.github.cassandralock.builder.RemoteLockerBuilder;
import io.github.cassandralock.cassandra.LockingAlgorithm;
import io.github.cassandralock.cassandra.NoticeOptions;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/**
 * Lockers with prefixes in one keyspace of a real node. Costs some ten seconds. Would catch a table whose ids have no prefix, lockers
 * with different prefixes that exclude each other, and prefixes that applications see in ids.
 */
@Tag("slow")
@ExtendWith(SharedCassandra.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PrefixIT {

    private static final String KEYSPACE = "prefixes";
    private static final Duration BOUND = Duration.ofMinutes(1);

    private final CqlSession session;
    private final CassandraCluster cluster;
    private final List<AutoCloseable> opened = new ArrayList<>();

    PrefixIT(CassandraCluster cluster) {
        this.cluster = cluster;
        Application.createKeyspace(cluster, KEYSPACE, 1);
        session = CqlSession.builder()
                .addContactPoint(
                        CassandraCluster.address(cluster.contactPoints().replaceFirst(",.*", "")))
                .withLocalDatacenter(cluster.localDatacenter())
                .build();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        session.close();
    }

    private RemoteLockerBuilder builder(String algorithm) {
        RemoteLockerBuilder builder = RemoteLockerBuilder.on(session).keyspace(KEYSPACE);
        return algorithm.equals("migration")
                ? builder.migration(LockingAlgorithm.QUEUE, LockingAlgorithm.TICKET)
                : builder.algorithm(LockingAlgorithm.valueOf(algorithm));
    }

    private RemoteLocker opened(RemoteLockerBuilder builder) {
        CloseableLocker locker = builder.build();
        opened.add(locker);
        return locker;
    }

    private RemoteLocker locker(String prefix) {
        return opened(builder("TICKET")
                .prefix(prefix)
                .deadlocks(true)
                .forceRelease(true)
                .notices(NoticeOptions.atPort(0)));
    }

    private List<String> stored() {
        TreeSet<String> ids = new TreeSet<>();
        session.execute("SELECT table_name FROM system_schema.tables WHERE keyspace_name = '" + KEYSPACE + "'")
                .forEach(table -> {
                    String name = table.getString("table_name");
                    if (!session.execute("SELECT type FROM system_schema.columns WHERE keyspace_name = '" + KEYSPACE
                                    + "' AND table_name = '" + name + "' AND column_name = 'lock_id'")
                            .all()
                            .isEmpty()) {
                        session.execute("SELECT lock_id FROM " + KEYSPACE + "." + name)
                                .forEach(row -> ids.add(name + " " + row.getString("lock_id")));
                    }
                });
        return List.copyOf(ids);
    }

    private static boolean isFree(RemoteLocker locker, String lockId) {
        Optional<RemoteLock> lock = locker.tryGetLock(lockId, Duration.ofSeconds(2));
        lock.ifPresent(RemoteLock::close);
        return lock.isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TICKET", "QUEUE", "SHADOW", "migration"})
    void onlyLockersWithOnePrefixExcludeEachOther(String algorithm) {
        RemoteLocker own = opened(builder(algorithm).prefix("a"));
        RemoteLocker same = opened(builder(algorithm).prefix("a"));
        RemoteLocker longer = opened(builder(algorithm).prefix("ab"));
        RemoteLocker without = opened(builder(algorithm));

        try (RemoteLock lock = own.getLock("bc")) {
            assertThat(lock.getLockId()).isEqualTo("bc");
            assertThat(isFree(same, "bc")).isFalse();
            assertThat(isFree(longer, "c")).isTrue();
            assertThat(isFree(longer, "bc")).isTrue();
            assertThat(isFree(without, "bc")).isTrue();
            assertThat(isFree(without, "abc")).isTrue();
            assertThatThrownBy(() -> same.getLock("bc", Duration.ofMillis(300)))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("'bc'");
        }
        assertThat(isFree(same, "bc")).isTrue();
    }

    @Test
    void everyIdInEveryTableHasThePrefix() throws Exception {
        List<String> before = stored();
        String longId = "x".repeat(512);
        RemoteLocker own = locker("a");
        RemoteLocker same = locker("a");
        RemoteLocker other = locker("b");
        try (RemoteLock lock = own.getLock("valued");
                RemoteLocks path = own.getLocks(MultiLockRequest.ofPath(LockPath.of("shop", "orders", "42")));
                RemoteLocks several = own.getLocks(MultiLockRequest.of(List.of("one", "two")));
                RemoteLock longest = own.getLock(longId)) {
            lock.reserveFencingToken();
            lock.writeValue(new byte[] {7});
            assertThat(path.getLockIds()).contains("shop", "shop/orders/42");
            assertThat(isFree(same, "two")).isFalse();
            assertThat(isFree(same, longId)).isFalse();
            assertThat(isFree(other, longId)).isTrue();
        }
        try (RemoteLock lock = same.getLock("valued");
                RemoteLock others = other.getLock("valued")) {
            assertThat(lock.readValue().getBytes()).containsExactly(7);
            assertThat(others.readValue().getBytes()).isEmpty();
        }
        assertThat(stored().stream().filter(id -> !before.contains(id)))
                .isNotEmpty()
                .allSatisfy(id -> assertThat(id).matches("lock_slots [ab]\u001F[^\u001F]+"));
    }

    @Test
    void deadlockIsFoundAndReportedWithoutThePrefix() {
        RemoteLocker first = locker("deadly");
        RemoteLocker second = locker("deadly");
        LockOwner left = LockOwner.named("left");
        LockOwner right = LockOwner.named("right");
        try (RemoteLock one = first.getLock(LockRequest.of("one").owner(left));
                RemoteLock two = second.getLock(LockRequest.of("two").owner(right))) {
            CompletableFuture<RemoteLock> both =
                    first.getLockAsync(LockRequest.of("two").owner(left), BOUND);
            CompletableFuture<RemoteLock> again =
                    second.getLockAsync(LockRequest.of("one").owner(right), BOUND);

            await().atMost(BOUND).until(() -> both.isCompletedExceptionally() || again.isCompletedExceptionally());

            assertThatThrownBy((both.isCompletedExceptionally() ? both : again)::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(LockDeadlockException.class)
                    .message()
                    .contains("'one'", "'two'")
                    .doesNotContain("deadly", "\u001F");
            one.close();
            two.close();
            Stream.of(both, again)
                    .forEach(call -> call.handle((lock, failure) -> {
                        if (lock != null) {
                            lock.closeAsync();
                        }
                        return null;
                    }));
        }
    }

    @Test
    void endpointReleasesLocksOfItsOwnPrefixByForce() throws Exception {
        List<String> arguments = List.of(
                "--spring.application.name=shop",
                "--cassandra-lock.prefix=${spring.application.name}",
                "--cassandra-lock.deadlock.enabled=true",
                "--cassandra-lock.force-release.enabled=true");
        try (Application web = LocksEndpoint.start(
                        WebApplicationType.SERVLET, cluster, KEYSPACE, arguments.toArray(String[]::new));
                RemoteLock held = locker("shop").getLock("order:7");
                RemoteLock others = locker("other").getLock("order:7")) {
            LocksEndpoint endpoint = new LocksEndpoint(web);

            assertThat(endpoint.overview().get("prefix").asText()).isEqualTo("shop");
            JsonNode lock = endpoint.lock("order:7");
            assertThat(lock.get("prefix").asText()).isEqualTo("shop");
            assertThat(lock.get("lockId").asText()).isEqualTo("order:7");
            assertThat(lock.get("holderCount").asInt()).isEqualTo(1);
            assertThat(endpoint.lock("shop\u001Forder:7").get("message").asText())
                    .contains("control character");

            CompletableFuture<LockLoss> lost = new CompletableFuture<>();
            held.onLost(lost::complete);
            assertThat(endpoint.delete("/order:7").statusCode()).isEqualTo(202);

            assertThat(lost.get(1, TimeUnit.MINUTES).reason()).isEqualTo(LockLoss.Reason.FORCE_RELEASED);
            assertThat(others.isHeld()).isTrue();
            assertThat(stored()).contains("lock_breaks shop\u001Forder:7");
        }
    }
}
