package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The definition of a table in the cluster.
 *
 * @param keyspace its keyspace
 * @param expected the definition that locks need
 * @param columns type by name; empty if there is no such table
 * @param primaryKey the partition key, then the clustering columns
 * @param gcGraceSeconds how long the table keeps deletions, or -1 if the system tables do not show it yet
 */
record TableShape(
        String keyspace, LockTable expected, Map<String, String> columns, List<String> primaryKey, int gcGraceSeconds) {

    private static final int UNKNOWN = -1;

    private record Column(String name, String type, String kind, int position) {

        static Column of(Row row) {
            return new Column(
                    String.valueOf(row.getString("column_name")),
                    String.valueOf(row.getString("type")),
                    String.valueOf(row.getString("kind")),
                    row.getInt("position"));
        }

        String typeText() {
            return kind.equals("static") ? type + " static" : type;
        }
    }

    /**
     * Requests the definitions of these tables together.
     *
     * @return blocks until the definitions are there; to be called once
     */
    static Supplier<List<TableShape>> request(
            StartStatements statements, String keyspace, Collection<LockTable> tables) {
        List<String> names = tables.stream().map(LockTable::tableName).toList();
        Supplier<List<Row>> columns = statements.request(
                "SELECT table_name, column_name, type, kind, position FROM system_schema.columns"
                        + " WHERE keyspace_name = ? AND table_name IN ?",
                keyspace,
                names);
        Supplier<List<Row>> options = statements.request(
                "SELECT table_name, gc_grace_seconds FROM system_schema.tables"
                        + " WHERE keyspace_name = ? AND table_name IN ?",
                keyspace,
                names);
        return () -> shapes(keyspace, tables, columns.get(), options.get());
    }

    private static List<TableShape> shapes(
            String keyspace, Collection<LockTable> tables, List<Row> columnRows, List<Row> optionRows) {
        Map<String, List<Column>> columns = columnRows.stream()
                .collect(Collectors.groupingBy(TableShape::table, Collectors.mapping(Column::of, Collectors.toList())));
        Map<String, Integer> gcGraceSeconds =
                optionRows.stream().collect(Collectors.toMap(TableShape::table, row -> row.getInt("gc_grace_seconds")));
        return tables.stream()
                .map(table -> of(
                        keyspace,
                        table,
                        columns.getOrDefault(table.tableName(), List.of()),
                        gcGraceSeconds.getOrDefault(table.tableName(), UNKNOWN)))
                .toList();
    }

    private static String table(Row row) {
        return String.valueOf(row.getString("table_name"));
    }

    private static TableShape of(String keyspace, LockTable table, List<Column> columns, int gcGraceSeconds) {
        Map<String, String> types = new LinkedHashMap<>();
        columns.forEach(column -> types.put(column.name(), column.typeText()));
        return new TableShape(keyspace, table, types, primaryKey(columns), gcGraceSeconds);
    }

    private static List<String> primaryKey(List<Column> columns) {
        List<String> key = new ArrayList<>();
        for (String kind : List.of("partition_key", "clustering")) {
            columns.stream()
                    .filter(column -> column.kind().equals(kind))
                    .sorted(Comparator.comparingInt(Column::position))
                    .forEach(column -> key.add(column.name()));
        }
        return key;
    }

    boolean exists() {
        return !columns.isEmpty();
    }

    /** Whether all system tables show it. */
    boolean isComplete() {
        return exists() && gcGraceSeconds != UNKNOWN;
    }

    /** A table of an earlier version lacks columns. They can be added while that version uses the table. */
    private void requireAllColumns(String name) {
        Map<String, String> missing = new LinkedHashMap<>(expected.columns());
        missing.keySet().removeAll(columns.keySet());
        if (!missing.isEmpty()
                && primaryKey.equals(expected.primaryKey())
                && expected.columns().entrySet().containsAll(columns.entrySet())) {
            String list = missing.entrySet().stream()
                    .map(column -> column.getKey() + " " + column.getValue())
                    .collect(Collectors.joining(", "));
            throw new LockSchemaException(
                    "The table " + name + LockSchemaException.OF_EARLIER_VERSION + ": it has no column "
                            + String.join(" and no column ", missing.keySet()) + ".",
                    "Stop all instances of the earlier version, and run: ALTER TABLE " + name + " ADD (" + list
                            + "); From then on they cannot start any more (docs/guide/upgrading.md).");
        }
    }

    /** Cassandra cannot change the primary key of a table, so a table with another primary key is of no use. */
    private void requirePrimaryKey(String name) {
        List<String> missing = new ArrayList<>(expected.primaryKey());
        missing.removeAll(primaryKey);
        if (!missing.isEmpty()
                && expected.primaryKey().containsAll(primaryKey)
                && expected.columns().entrySet().containsAll(columns.entrySet())) {
            throw new LockSchemaException(
                    "The table " + name + LockSchemaException.OF_EARLIER_VERSION + ": its primary key is ("
                            + String.join(", ", primaryKey) + "), but this version needs ("
                            + String.join(", ", expected.primaryKey())
                            + "). Cassandra cannot change a primary key, and instances of the two versions cannot share the"
                            + " table.",
                    "Stop all instances of the earlier version, run: DROP TABLE " + name
                            + "; and start this version. The loss of the table affects only locks that outlast their process"
                            + " for a minimum time (holdAtLeast). To update without stopping all instances at once, use another"
                            + " algorithm in between: docs/guide/upgrading.md. Do not give this version a keyspace of its own"
                            + " while instances of the earlier version use the same locks. They would not exclude each other.");
        }
    }

    /** @throws LockSchemaException if locks cannot use the table */
    void requireToMatch(int requiredGcGraceSeconds) {
        String name = keyspace + "." + expected.tableName();
        requirePrimaryKey(name);
        requireAllColumns(name);
        if (!columns.equals(expected.columns()) || !primaryKey.equals(expected.primaryKey())) {
            throw new LockSchemaException(
                    "The table " + name + " has the columns " + columns + " and the primary key " + primaryKey
                            + ". Locks need the columns " + expected.columns() + " and the primary key "
                            + expected.primaryKey() + ".",
                    "If nothing uses the table, drop it and start again; otherwise give the locks a keyspace of"
                            + " their own with 'cassandra-lock.keyspace: my_keyspace' in application.yml.");
        }
        if (gcGraceSeconds < requiredGcGraceSeconds) {
            throw new LockSchemaException(
                    "The table " + name + " has gc_grace_seconds = " + gcGraceSeconds
                            + ", but with the configured lease at least " + requiredGcGraceSeconds
                            + " are needed; otherwise Cassandra could undo the release of a lock.",
                    "Run: ALTER TABLE " + name + " WITH gc_grace_seconds = " + requiredGcGraceSeconds
                            + "; or lower 'cassandra-lock.lease' in application.yml.");
        }
    }
}
