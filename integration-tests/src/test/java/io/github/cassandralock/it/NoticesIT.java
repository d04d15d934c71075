package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.data.ByteUtils;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.InvalidLockPropertyException;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.applications.SentStatements;
import io.github.cassandralock.testing.checkers.HoldCounter;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Costs thirty seconds. Processes that exchange notices, through the starter, on a real node. */
@ExtendWith({SharedCassandra.class, OutputCaptureExtension.class})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class NoticesIT {

    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final String ON = "--cassandra-lock.notices.enabled=true";

    private final CassandraCluster cluster;
    private final Application one;
    private final Application other;
    private final String lockId = "notices:" + UUID.randomUUID();

    NoticesIT(CassandraCluster cluster) {
        this.cluster = cluster;
        one = start(ON);
        other = start(ON);
    }

    private Application start(String... settings) {
        return Application.start(
                cluster,
                Stream.concat(Stream.of("--cassandra-lock.lease=3s"), Stream.of(settings))
                        .toArray(String[]::new));
    }

    @AfterAll
    void stop() {
        one.close();
        other.close();
    }

    /** Each of these instances takes the lock again and again, until it had it so often. */
    private static HoldCounter contend(List<Application> instances, String lockId, int rounds) throws Exception {
        HoldCounter holds = new HoldCounter();
        List<Callable<Void>> work = new ArrayList<>();
        for (Application instance : instances) {
            RemoteLocker locker = instance.locker();
            work.add(() -> {
                for (int round = 0; round < rounds; round++) {
                    try (RemoteLock lock = locker.getLock(lockId)) {
                        holds.enter();
                        lock.ensureHeld();
                        holds.leave();
                    }
                }
                return null;
            });
        }
        ConcurrentTasks.runAll(work);
        return holds;
    }

    private static List<String> onSlots(Application application, Runnable action) {
        return SentStatements.of(application).during(action).stream()
                .filter(statement -> statement.contains("lock_slots"))
                .toList();
    }

    @Test
    void sessionPublishesWhereItTakesNotices() {
        try (Application silent = start()) {
            assertThat(contactWhileHeldBy(one, "loud").getString("address")).startsWith("127.");
            assertThat(Objects.requireNonNull(contactWhileHeldBy(one, "loud").getByteBuffer("secret"))
                            .remaining())
                    .isEqualTo(16);
            assertThat(contactWhileHeldBy(silent, "silent").isNull("address")).isTrue();
        }
    }

    @Test
    void secretOfASessionIsInNoLogOfRequestsAndEndsWithTheSession(CapturedOutput output) {
        Row contact;
        try (Application logging = start(
                ON,
                "--spring.cassandra.config=classpath:logging-requests.conf",
                "--logging.level.com.datastax.oss.driver.internal.core.tracker.RequestLogger=info")) {
            contact = contactWhileHeldBy(logging, "logged");
        }
        assertThat(output)
                .as("what the driver logs")
                .containsPattern("INSERT INTO .*lock_sessions")
                .contains("'" + lockId + ":logged'")
                .doesNotContain(ByteUtils.toHexString(contact.getByteBuffer("secret")));
        assertThat(other.session()
                        .execute(
                                "SELECT state, secret FROM lock_sessions WHERE session = ?", contact.getUuid("session"))
                        .one())
                .satisfies(row -> assertThat(row.getString("state")).isEqualTo("DEAD"))
                .satisfies(row -> assertThat(row.isNull("secret")).isTrue());
    }

    private Row contactWhileHeldBy(Application holder, String name) {
        try (RemoteLock lock = holder.locker().getLock(lockId + ":" + name)) {
            Row slot = Objects.requireNonNull(one.session()
                    .execute("SELECT session FROM lock_slots WHERE lock_id = ?", lock.getLockId())
                    .one());
            return Objects.requireNonNull(one.session()
                    .execute(
                            "SELECT session, address, secret FROM lock_sessions WHERE session = ?",
                            slot.getUuid("session"))
                    .one());
        }
    }

    /** Without notices they send five operations and more for each. */
    @Test
    void instancesThatTakeTurnsSendFewOperations() throws Exception {
        String own = lockId + ":turns";
        contend(List.of(one, other), own, 5);
        assertThat(operationsForALockInTurns(own)).as("operations for a lock").isLessThan(3.5);
    }

    /** Both instances take the lock 200 times, one at a time. */
    private double operationsForALockInTurns(String own) {
        CompletableFuture<HoldCounter> holds = new CompletableFuture<>();
        List<String> sent = new ArrayList<>();
        sent.addAll(onSlots(
                one,
                () -> sent.addAll(onSlots(other, () -> {
                    try {
                        holds.complete(contend(List.of(one, other), own, 200));
                    } catch (Exception e) {
                        holds.completeExceptionally(e);
                    }
                }))));
        assertThat(holds.join().holds()).isEqualTo(400);
        assertThat(holds.join().most()).as("holders at the same time").isEqualTo(1);
        return sent.size() / 400.0;
    }

    @Test
    void alienTrafficToAPortOfNoticesNeitherBreaksALockNorCostsOperations(CapturedOutput output) throws Exception {
        String own = lockId + ":aliens";
        contend(List.of(one, other), own, 5);
        Row contact = contactWhileHeldBy(one, "target");
        double operations;
        try (AlienTraffic aliens = new AlienTraffic(
                Objects.requireNonNull(contact.getString("address")),
                Objects.requireNonNull(contact.getUuid("session")),
                own)) {
            operations = operationsForALockInTurns(own);
            await().until(() -> aliens.connections() > 100);
        }
        assertThat(operations).as("operations for a lock").isLessThan(3.5);
        assertThat(output)
                .containsOnlyOnce("was closed, because what it sent is no frame")
                .containsOnlyOnce("A frame was refused")
                .contains("its authentication code is wrong")
                .doesNotContain("No notices are sent to");
    }

    /** Costs three seconds. */
    @Test
    void noticesThatAreSentAgainCostTheirConnectionsAndNothingElse(CapturedOutput output) throws Exception {
        String own = lockId + ":replayed";
        InetAddress before = InetAddress.getByAddress(new byte[] {127, 0, 0, 3});
        try (RecordingRelay relay = new RecordingRelay(before, InetAddress.getLoopbackAddress());
                Application relayed = start(
                        ON,
                        "--cassandra-lock.notices.bind-address=127.0.0.1",
                        "--cassandra-lock.notices.advertised-address=127.0.0.3",
                        "--cassandra-lock.notices.port=" + relay.port())) {
            contend(List.of(one, relayed, other), own, 20);
            await().until(() -> relay.passedOn() > 0);
            CompletableFuture<HoldCounter> holds = CompletableFuture.supplyAsync(() -> contended(relayed, own));
            while (!holds.isDone()) {
                relay.sendAgain();
            }
            assertThat(holds.join().holds()).isEqualTo(300);
            assertThat(holds.join().most()).as("holders at the same time").isEqualTo(1);
            await().untilAsserted(() -> {
                relay.sendAgain();
                assertThat(relayed.locker().tryGetLock(own)).hasValueSatisfying(RemoteLock::close);
            });
            assertThat(relay.sentAgain())
                    .as("connections with recorded notices")
                    .isGreaterThan(10);
            assertThat(relay.closedAgain()).as("closed by the other side").isEqualTo(relay.sentAgain());
        }
        assertThat(output).contains("its authentication code is wrong").doesNotContain("No notices are sent to");
    }

    private HoldCounter contended(Application relayed, String own) {
        try {
            return contend(List.of(one, relayed, other), own, 100);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void instancesWithNoticesAndWithoutShareALock() throws Exception {
        try (Application silent = start()) {
            HoldCounter holds = contend(List.of(one, silent, other), lockId + ":mixed", 50);
            assertThat(holds.holds()).isEqualTo(150);
            assertThat(holds.most()).as("holders at the same time").isEqualTo(1);
        }
    }

    @Test
    void lockStaysWithTheProcessThatUsesItAndIsGivenUpForAnotherThatTries() {
        String own = lockId + ":kept";
        RemoteLocker locker = one.locker();
        List<String> sent = onSlots(one, () -> {
            for (int round = 0; round < 1_000; round++) {
                locker.getLock(own).close();
                if (round % 100 == 50) {
                    assertThat(other.locker().tryGetLock(own))
                            .as("a free lock, for another process that tries")
                            .hasValueSatisfying(RemoteLock::close);
                }
            }
        });
        assertThat(sent.size() / 1_000.0).as("operations for a lock").isLessThan(1);
    }

    @Test
    void tryIsRefusedWhileAThreadOfAnotherProcessHoldsTheLock() {
        try (RemoteLock held = one.locker().getLock(lockId + ":held")) {
            assertThat(other.locker().tryGetLock(held.getLockId())).isEmpty();
        }
    }

    /** By a notice, and without notices by a look every third of a lease. */
    @Test
    void holderLearnsThatAnotherInstanceWaits() {
        try (Application silent = start()) {
            for (Application waiter : List.of(other, silent)) {
                CompletableFuture<Void> told = new CompletableFuture<>();
                RemoteLock held = one.locker().getLock(lockId + ":wanted");
                held.onContention(() -> told.complete(null));
                CompletableFuture<RemoteLock> waiting = waiter.locker().getLockAsync(held.getLockId());
                assertThat(told).succeedsWithin(BOUND);
                held.close();
                assertThat(waiting).succeedsWithin(BOUND).satisfies(RemoteLock::close);
            }
        }
    }

    @Test
    void instanceThatClosesLeavesItsLocksToThoseThatWait() {
        Application leaving = start(ON);
        String own = lockId + ":leaving";
        leaving.locker().getLock(own);
        CompletableFuture<RemoteLock> waiting = other.locker().getLockAsync(own);
        leaving.close();
        assertThat(waiting).succeedsWithin(BOUND).satisfies(RemoteLock::close);
        await("the thread of notices")
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().equals("cassandra-lock-notices"))
                                .count()
                        == 2);
    }

    @Test
    @Tag("slow")
    void noticesAreEncryptedIfASslBundleIsNamed(@TempDir Path directory) throws Exception {
        String[] settings = {
            ON,
            "--cassandra-lock.notices.ssl.bundle=fleet",
            "--spring.ssl.bundle.jks.fleet.keystore.location=" + keyStore(directory),
            "--spring.ssl.bundle.jks.fleet.keystore.password=secret",
            "--spring.ssl.bundle.jks.fleet.keystore.type=PKCS12",
            "--spring.ssl.bundle.jks.fleet.truststore.location=" + trustStore(directory),
            "--spring.ssl.bundle.jks.fleet.truststore.password=secret",
            "--spring.ssl.bundle.jks.fleet.truststore.type=PKCS12"
        };
        try (Application first = start(settings);
                Application second = start(settings)) {
            String own = lockId + ":encrypted";
            contend(List.of(first, second), own, 5);
            List<String> sent = new ArrayList<>();
            sent.addAll(onSlots(first, () -> {
                try {
                    contend(List.of(first, second), own, 100);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }));
            assertThat(sent.size() / 100.0).as("operations for a lock").isLessThan(3.5);
            assertThat(certificateShownAt(contactWhileHeldBy(first, "first"), directory))
                    .isEqualTo("CN=fleet");
        }
    }

    /** Whom the process is that takes notices there, as it shows to others of the fleet. */
    private static String certificateShownAt(Row contact, Path directory) throws Exception {
        String address = Objects.requireNonNull(contact.getString("address"));
        int colon = address.lastIndexOf(':');
        KeyStore store = KeyStore.getInstance(directory.resolve("keys.p12").toFile(), "secret".toCharArray());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, "secret".toCharArray());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(KeyStore.getInstance(directory.resolve("trust.p12").toFile(), "secret".toCharArray()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
                .createSocket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)))) {
            socket.setSoTimeout(10_000);
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    private static Path keyStore(Path directory) throws Exception {
        Path file = directory.resolve("keys.p12");
        keytool("-genkeypair", "-alias", "fleet", "-keyalg", "EC", "-dname", "CN=fleet", "-keystore", file.toString());
        return file;
    }

    private static Path trustStore(Path directory) throws Exception {
        String certificate = directory.resolve("fleet.cer").toString();
        Path file = directory.resolve("trust.p12");
        String keys = directory.resolve("keys.p12").toString();
        keytool("-exportcert", "-alias", "fleet", "-keystore", keys, "-file", certificate);
        keytool("-importcert", "-noprompt", "-alias", "fleet", "-file", certificate, "-keystore", file.toString());
        return file;
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", "secret"));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor()).as("%s", command).isZero();
    }

    @Test
    void portThatIsTakenIsExplained(CapturedOutput output) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertStartFails(
                    output,
                    "cassandra-lock.notices.port: 0",
                    "--cassandra-lock.notices.bind-address=127.0.0.1",
                    "--cassandra-lock.notices.port=" + taken.getLocalPort());
        }
    }

    @Test
    void whatCannotBeFollowedOnThisMachineIsExplained(CapturedOutput output) {
        assertStartFails(
                output,
                "cassandra-lock.notices.bind-address: 0.0.0.0",
                "--cassandra-lock.notices.bind-address=192.0.2.7",
                "--cassandra-lock.notices.port=7199");
        assertStartFails(
                output,
                "cassandra-lock.notices.advertised-address: 10.0.0.7:17400",
                "--cassandra-lock.notices.advertised-address=a b");
        assertStartFails(output, "spring.ssl.bundle", "--cassandra-lock.notices.ssl.bundle=unknown");
    }

    private void assertStartFails(CapturedOutput output, String text, String... settings) {
        List<String> arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
        arguments.add(ON);
        arguments.addAll(List.of(settings));
        StartFailures.assertStartFails(arguments, output, InvalidLockPropertyException.class, text);
    }
}
