package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import io.github.cassandralock.exactlyonce.store.StoreUnfitException;
import io.github.cassandralock.internal.startup.StatementNodes;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The table of registers: creates it, and checks that it is fit to keep registers when a store is opened. Blocks. */
record RegisterTable(CqlSession session, CassandraStoreSettings settings) {

    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(30);

    private static final Map<String, String> COLUMNS = Map.of(
            "name", "text partition_key",
            "version", "bigint regular",
            "process", "uuid regular",
            "counter", "bigint regular",
            "value", "blob regular");

    static String createStatement(CassandraStoreSettings settings) {
        return "CREATE TABLE IF NOT EXISTS " + settings.qualifiedTable()
                + " (name text PRIMARY KEY, version bigint, process uuid, counter bigint, value blob)"
                + " WITH default_time_to_live = 0";
    }

    void create() {
        session.execute(StatementNodes.onOneNode(SimpleStatement.newInstance(createStatement(settings)), session)
                .setTimeout(DDL_TIMEOUT));
    }

    /** @throws StoreUnfitException if it cannot keep registers */
    void requireFit() {
        new TableArrival(session, settings).await();
        requireKeyspace();
        requireColumns();
        requireNoExpiry();
        requirePermissions();
    }

    /**
     * Throws what a node refuses. The empty list matches no row: a node checks the permissions and neither reads nor deletes
     * anything.
     */
    private void requirePermissions() {
        String nothing = " FROM " + settings.qualifiedTable() + " WHERE name IN ()";
        session.execute("SELECT name" + nothing);
        session.execute("DELETE" + nothing);
    }

    private void requireKeyspace() {
        String cql = CqlIdentifier.fromInternal(settings.keyspace()).asCql(true);
        Row keyspace =
                row("SELECT durable_writes FROM system_schema.keyspaces WHERE keyspace_name = ?", settings.keyspace());
        if (keyspace == null) {
            throw new StoreUnfitException("The keyspace '" + cql
                    + "' for the registers does not exist. Create it, such as CREATE KEYSPACE " + cql
                    + " WITH replication = {'class': 'NetworkTopologyStrategy', 'your_datacenter': 3};");
        }
        if (!keyspace.getBoolean("durable_writes")) {
            throw new StoreUnfitException("The keyspace '" + cql + "' has durable_writes = false, so a node"
                    + " that crashes forgets registers that it has acknowledged. Run: ALTER KEYSPACE "
                    + cql + " WITH durable_writes = true;");
        }
    }

    private void requireColumns() {
        Map<String, String> columns = new TreeMap<>();
        session.execute(SimpleStatement.newInstance(
                        "SELECT column_name, type, kind FROM system_schema.columns"
                                + " WHERE keyspace_name = ? AND table_name = ?",
                        settings.keyspace(),
                        settings.table()))
                .forEach(row ->
                        columns.put(row.getString("column_name"), row.getString("type") + " " + row.getString("kind")));
        if (columns.isEmpty()) {
            throw new StoreUnfitException("The table " + settings.qualifiedTable()
                    + " of registers does not exist. Run: " + createStatement(settings) + ";");
        }
        if (!columns.equals(COLUMNS)) {
            throw new StoreUnfitException("The table " + settings.qualifiedTable() + " has the columns " + columns
                    + ", but registers need " + new TreeMap<>(COLUMNS)
                    + ". Name another table in the settings, and create it with: " + createStatement(settings) + ";");
        }
    }

    private void requireNoExpiry() {
        Row table = row(
                "SELECT default_time_to_live FROM system_schema.tables WHERE keyspace_name = ? AND table_name = ?",
                settings.keyspace(),
                settings.table());
        int seconds = table == null ? 0 : table.getInt("default_time_to_live");
        if (seconds != 0) {
            throw new StoreUnfitException("The table " + settings.qualifiedTable() + " has default_time_to_live = "
                    + seconds
                    + ". Registers would expire, their versions would start over, and writes that arrive late would"
                    + " take effect. Run: ALTER TABLE " + settings.qualifiedTable()
                    + " WITH default_time_to_live = 0; what was written before still expires, so if the table has rows,"
                    + " create another table.");
        }
    }

    private @Nullable Row row(String cql, Object... values) {
        return session.execute(SimpleStatement.newInstance(cql, values)).one();
    }

    /** Converts an exception of the driver, thrown while a store is opened, into one of the port. */
    static RuntimeException unusable(CassandraStoreSettings settings, DriverException e) {
        String table = settings.qualifiedTable();
        return CassandraFailures.of(e) == FailureMeaning.REFUSED
                ? new StoreUnfitException(
                        "Cassandra refuses a statement on the table " + table + ": " + e.getMessage()
                                + ". The user needs SELECT and MODIFY on the table, and CREATE on the keyspace if the"
                                + " application creates it; have an administrator grant them, or run: "
                                + createStatement(settings) + ";",
                        e)
                : new RegisterUnavailableException(
                        "Cassandra did not answer while the table " + table + " of registers was opened: "
                                + e.getMessage() + ". Open it again; if this goes on, check the cluster.",
                        e);
    }
}
