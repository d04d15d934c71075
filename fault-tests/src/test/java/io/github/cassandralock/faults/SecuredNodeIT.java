package io.github.cassandralock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that speaks TLS only, and wants to know who asks. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SecuredNodeIT {

    private static final String PASSWORD = "keystore";

    private final Path keyStore;
    private final LocalCassandra cassandra;

    SecuredNodeIT(@TempDir Path directory) throws Exception {
        keyStore = directory.resolve("node.p12");
        createKeyStore();
        cassandra = LocalCassandra.builder()
                .config("authenticator", "PasswordAuthenticator")
                .config("authorizer", "CassandraAuthorizer")
                .config(
                        "client_encryption_options",
                        Map.of(
                                "enabled",
                                true,
                                "optional",
                                false,
                                "keystore",
                                keyStore.toString(),
                                "keystore_password",
                                PASSWORD))
                .start();
    }

    private void createKeyStore() throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "node",
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keyStore.toString(),
                        "-storepass",
                        PASSWORD)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).as("exit code of keytool").isZero();
    }

    @BeforeAll
    void createUsers() {
        await("the first user, whom the node makes some seconds after its start")
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .untilAsserted(() -> start("cassandra", "cassandra", "--cassandra-lock.enabled=false")
                        .close());
        try (Application administrator = start("cassandra", "cassandra", "--cassandra-lock.enabled=false")) {
            List.of(
                            "CREATE KEYSPACE guarded WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                            "CREATE ROLE owner WITH PASSWORD = 'o' AND LOGIN = true",
                            "GRANT ALL ON KEYSPACE guarded TO owner",
                            "CREATE ROLE visitor WITH PASSWORD = 'v' AND LOGIN = true")
                    .forEach(statement -> administrator
                            .session()
                            .execute(SimpleStatement.newInstance(statement).setTimeout(Duration.ofSeconds(30))));
        }
    }

    @AfterAll
    void stop() {
        cassandra.close();
    }

    private Application start(String user, String password, String... arguments) {
        List<String> all = new ArrayList<>(CassandraCluster.local(cassandra).arguments());
        all.addAll(List.of(
                "--spring.cassandra.username=" + user,
                "--spring.cassandra.password=" + password,
                "--spring.cassandra.ssl.bundle=node",
                "--spring.ssl.bundle.jks.node.truststore.location=file:" + keyStore,
                "--spring.ssl.bundle.jks.node.truststore.password=" + PASSWORD,
                "--spring.ssl.bundle.jks.node.truststore.type=PKCS12"));
        all.addAll(Arrays.asList(arguments));
        return Application.run(List.of(Application.Configuration.class), all);
    }

    @Test
    void applicationThatSpringBootGivesTlsAndAUserLocks() {
        try (Application one = start("owner", "o", "--cassandra-lock.keyspace=guarded");
                Application other = start("owner", "o", "--cassandra-lock.keyspace=guarded")) {
            try (RemoteLock lock = one.locker().getLock("safe")) {
                assertThat(lock.isHeld()).isTrue();
                assertThat(other.locker().tryGetLock("safe")).isEmpty();
            }
            assertThat(other.locker().tryGetLock("safe")).hasValueSatisfying(RemoteLock::close);
        }
    }

    @Test
    void userWhoMayNotWriteIsToldSoForEachLock() {
        start("owner", "o", "--cassandra-lock.keyspace=guarded").close();
        try (Application visitor = start(
                "visitor",
                "v",
                "--cassandra-lock.keyspace=guarded",
                "--cassandra-lock.schema-action=none",
                "--cassandra-lock.lease=2s")) {
            assertThatThrownBy(() -> visitor.locker().getLock("safe", Duration.ofSeconds(20)))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("'safe'", "visitor", "guarded.lock_s", "Nothing is held");
            assertThatThrownBy(() -> visitor.locker().tryGetLock("safe"))
                    .isInstanceOf(LockStoreException.class)
                    .hasMessageContainingAll("'safe'", "visitor");
        }
    }

    @Test
    void userWhoMayNotReadTheTablesIsToldSoAtTheStart() {
        start("owner", "o", "--cassandra-lock.keyspace=guarded").close();
        assertThatThrownBy(() -> start(
                                "visitor",
                                "v",
                                "--cassandra-lock.keyspace=guarded",
                                "--cassandra-lock.schema-action=validate")
                        .close())
                .hasRootCauseInstanceOf(UnauthorizedException.class)
                .hasStackTraceContaining("may not read the table guarded.lock_s");
    }
}
