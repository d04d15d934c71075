package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.AnswerLosingProxy;
import io.github.cassandralock.exactlyonce.store.LostAnswers;
import io.github.cassandralock.exactlyonce.store.ProxiedAnswers;
import io.github.cassandralock.exactlyonce.store.RegisterStoreContract;
import io.github.cassandralock.local.LocalCassandra;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The contract of stores on a real Cassandra node. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CassandraRegisterStoreIT extends RegisterStoreContract {

    private static final CassandraStoreSettings SETTINGS =
            CassandraStoreSettings.inKeyspace("contract").withTimeout(Duration.ofSeconds(10));

    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final CqlSession session = connect(cassandra.contactPoints());
    private final RegisterStore store;

    CassandraRegisterStoreIT() {
        session.execute(
                "CREATE KEYSPACE contract WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraRegisterStore.createTable(session, SETTINGS);
        store = CassandraRegisterStore.open(session, SETTINGS);
    }

    @AfterAll
    void close() {
        session.close();
        cassandra.close();
    }

    private CqlSession connect(Collection<InetSocketAddress> nodes) {
        return CqlSession.builder()
                .addContactPoints(nodes)
                .withLocalDatacenter(cassandra.localDatacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(10))
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(10))
                        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(100))
                        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
                        .build())
                .build();
    }

    @Override
    protected RegisterStore store() {
        return store;
    }

    @Override
    protected LostAnswers lostAnswers() throws Exception {
        AnswerLosingProxy proxy = new AnswerLosingProxy(cassandra.node(1).address());
        CqlSession behind = connect(List.of(proxy.address()));
        RegisterStore storeBehind = CassandraRegisterStore.open(behind, SETTINGS.withTimeout(Duration.ofSeconds(2)));
        return new ProxiedAnswers(
                proxy,
                storeBehind,
                () -> behind.forceCloseAsync().toCompletableFuture().join());
    }
}
