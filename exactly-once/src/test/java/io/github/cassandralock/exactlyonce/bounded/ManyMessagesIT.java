package io.github.cassandralock.exactlyonce.bounded;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.cassandra.Sessions;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import io.github.cassandralock.local.LocalCassandra;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGConnectionPoolDataSource;

/**
 * 60,000 messages of about 100 bytes through a ring of 256 cells: one by one in memory, in groups of 100 on a real PostgreSQL and
 * a real Cassandra. What the table and this process hold does not grow with the messages. {@code -Dring.messages=1000000} passes a
 * million, which takes some minutes.
 */
@Tag("slow")
class ManyMessagesIT {

    private static final int MESSAGES = Integer.getInteger("ring.messages", 60_000);
    private static final int GROUP = 100;
    private static final long MEBIBYTE = 1 << 20;

    /** The messages of the shortest run have 6 MB. */
    private static final long MOST_GROWTH = 4 * MEBIBYTE;

    private static void pass(String where, RegisterStore store, int group) throws Exception {
        RingUse use = new RingUse(store);
        long heap = usedHeap();
        long began = System.nanoTime();
        use.pass(MESSAGES / group, group);
        double seconds = (System.nanoTime() - began) / 1e9;
        long growth = usedHeap() - heap;
        System.out.printf(
                "%s: %,d messages in groups of %d in %.0f s; %d registers; the heap has grown by %.1f MiB%n",
                where, MESSAGES, group, seconds, use.registersWritten(), growth / (double) MEBIBYTE);
        assertThat(use.registersWritten()).isLessThanOrEqualTo(RingUse.CELLS + RingUse.OTHER_REGISTERS);
        assertThat(growth).as("growth of the heap").isLessThan(MOST_GROWTH);
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    @Timeout(300)
    void memoryIsBounded() throws Exception {
        pass("Memory", new InMemoryRegisterStore(), 1);
    }

    @Test
    @Timeout(500)
    void rowsAndBytesInPostgresAreBounded() throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            PGConnectionPoolDataSource source = new PGConnectionPoolDataSource();
            source.setUrl(PostgresServer.url(postgres.address(), ""));
            JdbcConnectionPool pool = JdbcConnectionPool.create(source);
            JdbcStoreSettings settings = JdbcStoreSettings.defaults();
            JdbcRegisterStore.createTable(pool, settings);
            pass("PostgreSQL", JdbcRegisterStore.open(pool, settings), GROUP);
            long rows = number(pool, "SELECT count(*) FROM " + settings.table());
            long bytes = size(pool, settings);
            execute(pool, "VACUUM FULL " + settings.table());
            long live = size(pool, settings);
            System.out.printf("PostgreSQL: %d rows, %,d bytes, %,d without dead rows%n", rows, bytes, live);
            assertThat(rows).isLessThanOrEqualTo(RingUse.CELLS + RingUse.OTHER_REGISTERS);
            assertThat(live).as("bytes of rows that are not dead").isLessThan(MOST_GROWTH);
        }
    }

    @Test
    @Tag("nightly")
    @Timeout(500)
    void rowsInCassandraAreBounded() throws Exception {
        try (LocalCassandra cassandra = LocalCassandra.start(1);
                CqlSession session = Sessions.open(cassandra.contactPoints().get(0), cassandra.localDatacenter())) {
            session.execute("CREATE KEYSPACE many WITH replication ="
                    + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
            CassandraStoreSettings settings =
                    CassandraStoreSettings.inKeyspace("many").withTimeout(Duration.ofSeconds(10));
            CassandraRegisterStore.createTable(session, settings);
            pass("Cassandra", CassandraRegisterStore.open(session, settings), GROUP);
            long rows = session.execute("SELECT count(*) FROM many." + settings.table())
                    .one()
                    .getLong(0);
            System.out.printf("Cassandra: %d rows%n", rows);
            assertThat(rows).isLessThanOrEqualTo(RingUse.CELLS + RingUse.OTHER_REGISTERS);
        }
    }

    private static long size(DataSource source, JdbcStoreSettings settings) throws Exception {
        return number(source, "SELECT pg_total_relation_size('" + settings.table() + "')");
    }

    private static long number(DataSource source, String query) throws Exception {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static void execute(DataSource source, String sql) throws Exception {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
