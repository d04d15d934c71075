package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.SentStatements;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the ticket lock costs and leaves behind, on a real node, through the starter. */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class TicketLockIT {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final int LOCKS_IN_A_ROW = Integer.getInteger("locks.in.a.row", 2_000);

    private final CassandraCluster cluster;
    private final Application application;
    private final String lockId = "ticket:" + UUID.randomUUID();

    TicketLockIT(CassandraCluster cluster) {
        this.cluster = cluster;
        this.application = start();
    }

    private Application start() {
        return Application.start(cluster, "--cassandra-lock.lease=" + LEASE);
    }

    @AfterAll
    void stop() {
        application.close();
    }

    /** What an application of its own sends, so that no other test's work is among it; renewals do not count. */
    private static List<String> onSlots(Application own, Runnable action) {
        return SentStatements.of(own).during(action).stream()
                .filter(statement -> !statement.contains("lock_sessions"))
                .toList();
    }

    @Test
    void uncontendedLockAndUnlockAreThreeOperationsWithoutConsensus() {
        try (Application own = start()) {
            own.locker().getLock(lockId).close();
            List<String> sent = onSlots(own, () -> own.locker().getLock(lockId).close());
            assertThat(sent)
                    .as("what an uncontended lock and unlock send")
                    .hasSize(3)
                    .allMatch(statement -> statement.contains("lock_slots"))
                    .noneMatch(statement -> statement.contains(" IF "));
        }
    }

    @Test
    void fencingTokenIsTwoOperationsMoreAndOnlyTheFirstTime() {
        try (Application own = start();
                RemoteLock lock = own.locker().getLock(lockId + ":token")) {
            List<String> sent =
                    onSlots(own, () -> assertThat(lock.reserveFencingToken()).isPositive());
            assertThat(sent).as("what a fencing token sends").hasSize(2);
            assertThat(onSlots(own, lock::reserveFencingToken))
                    .as("what asking again sends")
                    .isEmpty();
        }
    }

    @Test
    void fencingTokensGrowFromHolderToHolderAcrossInstances() {
        String own = lockId + ":tokens";
        List<Long> tokens = new ArrayList<>();
        try (Application other = start()) {
            for (int round = 0; round < 10; round++) {
                for (Application instance : List.of(application, other)) {
                    try (RemoteLock lock = instance.locker().getLock(own)) {
                        tokens.add(lock.reserveFencingToken());
                    }
                }
            }
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    @Tag("slow")
    @Tag("once")
    void locksOfOneKeyInARowStayAsQuickAsTheFirst() {
        RemoteLocker locker = application.locker();
        String worn = lockId + ":worn";
        String fresh = lockId + ":fresh";
        for (int i = 0; i < LOCKS_IN_A_ROW; i++) {
            nanosToTake(locker, worn);
        }
        List<Long> ofWorn = new ArrayList<>();
        List<Long> ofFresh = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            ofWorn.add(nanosToTake(locker, worn));
            ofFresh.add(nanosToTake(locker, fresh));
        }
        assertThat((double) median(ofWorn))
                .as(
                        "nanoseconds for a lock after %d of the same key; %d for a new one in turns with it",
                        LOCKS_IN_A_ROW, median(ofFresh))
                .isLessThan(median(ofFresh) * 1.2);
        assertThat(cluster.log().get().lines())
                .filteredOn(line -> line.contains("tombstone cells for query"))
                .as("what the node says about tombstones, those of other tests' algorithms left out")
                .noneMatch(line -> line.contains("lock_slots"));
    }

    /** The statements of the guide's example, as they are on its page. */
    @Test
    void rowOfTheGuideRefusesAFencingTokenThatIsLowerThanTheLastOne() throws Exception {
        String page = Files.readString(Path.of("..", "docs", "guide", "fencing-tokens.md"));
        CqlSession session = application.session();
        session.execute(statement(page, "(CREATE TABLE invoices \\(.*bigint\\));"));
        String insert = statement(page, "\"(INSERT INTO invoices .*)\"");
        String update = statement(page, "\"(UPDATE invoices .* IF .*)\"");
        RemoteLocker locker = application.locker();
        try (RemoteLock earlier = locker.getLock(lockId + ":earlier");
                RemoteLock later = locker.getLock(lockId + ":later")) {
            long low = earlier.reserveFencingToken();
            long high = Math.max(low, later.reserveFencingToken()) + 1;
            assertThat(session.execute(insert, "i", "first", low).wasApplied()).isTrue();
            assertThat(session.execute(update, "second", high, "i", high).wasApplied())
                    .isTrue();
            assertThat(session.execute(update, "late", low, "i", low).wasApplied())
                    .isFalse();
        }
    }

    private static String statement(String page, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(page);
        assertThat(found.find()).as("%s on the page", pattern).isTrue();
        return found.group(1);
    }

    private static long nanosToTake(RemoteLocker locker, String lockId) {
        long startedAt = System.nanoTime();
        locker.getLock(lockId).close();
        return System.nanoTime() - startedAt;
    }

    private static long median(List<Long> times) {
        return times.stream().sorted().toList().get(times.size() / 2);
    }

    @Test
    @Tag("slow")
    void tenThousandHeldLocksAreRenewedByOneTransactionPerInterval() {
        RemoteLocker locker = application.locker();
        SentStatements statements = SentStatements.of(application);
        List<CompletableFuture<RemoteLock>> locks = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            locks.add(locker.getLockAsync(lockId + ":held:" + i));
            if (i % 200 == 199) {
                CompletableFuture.allOf(locks.toArray(CompletableFuture<?>[]::new))
                        .join();
            }
        }
        Duration watched = LEASE.multipliedBy(2);
        List<String> sent = statements.during(() -> await().pollDelay(watched)
                .atMost(watched.plus(BOUND))
                .until(() -> locks.stream().allMatch(lock -> lock.join().isHeld())));
        assertThat(sent.stream().filter(statement -> statement.contains("lock_sessions")))
                .as("renewals in two leases, one every third of a lease")
                .hasSizeBetween(5, 8);
        assertThat(sent.stream().filter(statement -> !statement.contains("lock_sessions")))
                .as("other statements while ten thousand locks are held")
                .isEmpty();
        locks.forEach(lock -> lock.join().close());
    }

    @Test
    void closingAnApplicationReleasesItsLocksAndEndsItsSession() {
        Application leaving = start();
        List<String> own =
                IntStream.range(0, 200).mapToObj(i -> lockId + ":leaving:" + i).toList();
        own.forEach(leaving.locker()::getLock);
        String session = sessionHolding(own.get(0));

        leaving.close();

        assertThat(own)
                .as("locks that are free as soon as the application has closed")
                .allSatisfy(
                        id -> assertThat(application.locker().tryGetLock(id)).hasValueSatisfying(RemoteLock::close));
        Row row = application
                .session()
                .execute("SELECT state FROM lock_sessions WHERE session = " + session)
                .one();
        assertThat(row).isNotNull();
        assertThat(row.getString("state")).as("state of the session that ended").isEqualTo("DEAD");
    }

    private String sessionHolding(String id) {
        for (Row row : application.session().execute("SELECT session, phase FROM lock_slots WHERE lock_id = ?", id)) {
            if (row.getByte("phase") != 0) {
                return String.valueOf(row.getUuid("session"));
            }
        }
        throw new IllegalStateException("no process holds " + id);
    }
}
