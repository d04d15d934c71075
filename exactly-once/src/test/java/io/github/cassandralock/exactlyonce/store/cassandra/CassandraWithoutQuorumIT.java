package io.github.cassandralock.exactlyonce.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer.Applied;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.UnknownOutcomeException;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.local.LocalCassandra;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes, each with a replica of every register, of which one is stopped. */
@Tag("slow")
@Tag("nightly")
class CassandraWithoutQuorumIT {

    private static final CassandraStoreSettings SETTINGS =
            CassandraStoreSettings.inKeyspace("lonely").withTimeout(Duration.ofSeconds(10));

    private static WriteId write() {
        return new WriteId(UUID.randomUUID(), 1);
    }

    @Test
    @Timeout(300)
    void withoutQuorumNothingIsAppliedWhateverTheRetryPolicySays() throws InterruptedException {
        try (LocalCassandra cassandra = LocalCassandra.start(2);
                CqlSession session = Sessions.open(
                        cassandra.contactPoints(), cassandra.localDatacenter(), DefaultRetryPolicy.class);
                CqlSession ignoring = Sessions.open(
                        cassandra.contactPoints(), cassandra.localDatacenter(), IgnoringRetryPolicy.class)) {
            session.execute(
                    "CREATE KEYSPACE lonely WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
            CassandraRegisterStore.createTable(session, SETTINGS);
            CassandraRegisterStore store = CassandraRegisterStore.open(session, SETTINGS);
            CassandraRegisterStore ofIgnoring = CassandraRegisterStore.open(ignoring, SETTINGS);
            assertThat(store.compareAndSet("a", 0, new byte[1], write())).isInstanceOf(Applied.class);

            cassandra.node(2).stop();
            awaitUnavailable(store);

            assertThatThrownBy(() -> store.compareAndSet("a", 1, new byte[2], write()))
                    .isInstanceOf(RegisterUnavailableException.class)
                    .hasMessageContaining("'a'")
                    .hasMessageContaining("was not applied");
            assertThatThrownBy(() -> ofIgnoring.compareAndSet("a", 1, new byte[2], write()))
                    .isInstanceOf(UnknownOutcomeException.class)
                    .hasMessageContaining("advanced.retry-policy");
            assertThatThrownBy(() -> ofIgnoring.read("a"))
                    .isInstanceOf(RegisterUnavailableException.class)
                    .hasMessageContaining("advanced.retry-policy");

            cassandra.node(2).start();
            assertThat(versionWhenBack(store)).isEqualTo(1);
        }
    }

    /** Until the node that is left has noticed that the other is down, requests time out. */
    private static void awaitUnavailable(CassandraRegisterStore store) throws InterruptedException {
        while (true) {
            try {
                store.read("a");
            } catch (RegisterUnavailableException e) {
                if (String.valueOf(e.getCause()).contains("Unavailable")) {
                    return;
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static long versionWhenBack(CassandraRegisterStore store) throws InterruptedException {
        while (true) {
            try {
                return store.read("a").getVersion();
            } catch (RegisterUnavailableException e) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }
}
