package io.github.cassandralock.sample.window.surroundings;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.local.LocalCassandra;
import java.time.Duration;

/**
 * A Cassandra node with the keyspace of the application and the table of registers.
 *
 * @param node the node
 * @param session of the sources
 */
record Cassandra(LocalCassandra node, CqlSession session) implements AutoCloseable {

    private static final String KEYSPACE = "sample";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    static Cassandra start() {
        LocalCassandra node = LocalCassandra.start(1);
        Cassandra started = new Cassandra(node, session(node));
        started.session.execute("CREATE KEYSPACE " + KEYSPACE
                + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + node.localDatacenter() + "': 1}");
        CassandraRegisterStore.createTable(started.session, settings());
        return started;
    }

    private static CqlSession session(LocalCassandra node) {
        return CqlSession.builder()
                .addContactPoints(node.contactPoints())
                .withLocalDatacenter(node.localDatacenter())
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, TIMEOUT)
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, TIMEOUT)
                        .build())
                .build();
    }

    private static CassandraStoreSettings settings() {
        return CassandraStoreSettings.inKeyspace(KEYSPACE);
    }

    Registers registers() {
        return Registers.of(CassandraRegisterStore.open(session, settings()));
    }

    String contactPoint() {
        var address = node.contactPoints().get(0);
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    @Override
    public void close() {
        session.close();
        node.close();
    }
}
