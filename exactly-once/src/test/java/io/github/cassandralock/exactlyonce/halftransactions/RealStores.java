package io.github.cassandralock.exactlyonce.halftransactions;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.cassandra.Sessions;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** Registers in a real Cassandra, and registers and sinks in a real PostgreSQL, as one process uses them. */
final class RealStores implements AutoCloseable {

    private static final String KEYSPACE = "bank";
    private static final CassandraStoreSettings CASSANDRA =
            CassandraStoreSettings.inKeyspace(KEYSPACE).withTimeout(Duration.ofSeconds(10));
    private static final JdbcStoreSettings POSTGRES = JdbcStoreSettings.defaults();

    private final CqlSession session;
    private final PGSimpleDataSource source = new PGSimpleDataSource();

    private RealStores(Address address) {
        session = Sessions.open(new InetSocketAddress(address.host(), address.port()), address.datacenter());
        source.setUrl(address.database());
    }

    /**
     * Where the stores are.
     *
     * @param host of a Cassandra node
     * @param port of that node
     * @param datacenter of that node
     * @param database the URL of PostgreSQL
     */
    record Address(String host, int port, String datacenter, String database) {

        List<String> arguments() {
            return List.of(host, Integer.toString(port), datacenter, database);
        }

        static Address ofArguments(List<String> arguments) {
            return new Address(
                    arguments.get(0), Integer.parseInt(arguments.get(1)), arguments.get(2), arguments.get(3));
        }
    }

    static RealStores connect(Address address) {
        return new RealStores(address);
    }

    void createTables() {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + KEYSPACE
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraRegisterStore.createTable(session, CASSANDRA);
        JdbcRegisterStore.createTable(source, POSTGRES);
        JdbcSink.createTables(source, HalfTransactions.SINKS);
    }

    Stores open() {
        return new Stores(
                CassandraRegisterStore.open(session, CASSANDRA), JdbcRegisterStore.open(source, POSTGRES), source);
    }

    @Override
    public void close() {
        session.close();
    }
}
