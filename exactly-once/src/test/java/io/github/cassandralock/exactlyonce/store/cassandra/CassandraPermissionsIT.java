package io.github.cassandralock.exactlyonce.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer.Applied;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.local.LocalCassandra;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that asks for passwords and checks permissions. */
@Tag("slow")
class CassandraPermissionsIT {

    private static final CassandraStoreSettings SETTINGS = CassandraStoreSettings.inKeyspace("guarded");

    private static CqlSession open(LocalCassandra cassandra, String user, String password) {
        return CqlSession.builder()
                .addContactPoints(cassandra.contactPoints())
                .withLocalDatacenter(cassandra.localDatacenter())
                .withAuthCredentials(user, password)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(10))
                        .build())
                .build();
    }

    /** A new node creates this user some seconds after its start. */
    private static CqlSession openAsAdministrator(LocalCassandra cassandra) throws InterruptedException {
        while (true) {
            try {
                return open(cassandra, "cassandra", "cassandra");
            } catch (AllNodesFailedException e) {
                TimeUnit.MILLISECONDS.sleep(200);
            }
        }
    }

    @Test
    @Timeout(300)
    void userWithoutPermissionsIsRefusedAtTheStartAndLater() throws InterruptedException {
        try (LocalCassandra cassandra = LocalCassandra.builder()
                        .config("authenticator", "PasswordAuthenticator")
                        .config("authorizer", "CassandraAuthorizer")
                        .config("permissions_validity", "0ms")
                        .start();
                CqlSession administrator = openAsAdministrator(cassandra)) {
            List.of(
                            "CREATE KEYSPACE guarded WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
                            "CREATE ROLE guest WITH PASSWORD = 'g' AND LOGIN = true")
                    .forEach(administrator::execute);
            CassandraRegisterStore.createTable(administrator, SETTINGS);

            try (CqlSession guest = open(cassandra, "guest", "g")) {
                assertUnfit(guest, "SELECT");
                administrator.execute("GRANT SELECT ON KEYSPACE guarded TO guest");
                assertUnfit(guest, "MODIFY");
                assertThatThrownBy(() -> CassandraRegisterStore.createTable(guest, SETTINGS.withTable("other")))
                        .isInstanceOf(StoreUnfitException.class)
                        .hasMessageContaining("CREATE on the keyspace");

                administrator.execute("GRANT MODIFY ON KEYSPACE guarded TO guest");
                CassandraRegisterStore store = CassandraRegisterStore.open(guest, SETTINGS);
                WriteId write = new WriteId(UUID.randomUUID(), 1);
                assertThat(store.compareAndSet("a", 0, new byte[1], write)).isInstanceOf(Applied.class);

                administrator.execute("REVOKE MODIFY ON KEYSPACE guarded FROM guest");
                assertThatThrownBy(() -> store.compareAndSet("a", 1, new byte[2], write))
                        .isInstanceOf(RegisterRefusedException.class)
                        .hasMessageContaining("'a'")
                        .hasMessageContaining("SELECT and MODIFY");
            }
        }
    }

    private static void assertUnfit(CqlSession session, String permission) {
        assertThatThrownBy(() -> CassandraRegisterStore.open(session, SETTINGS))
                .isInstanceOf(StoreUnfitException.class)
                .hasMessageContaining("no " + permission + " permission")
                .hasMessageContaining("have an administrator grant them");
    }
}
