package io.github.cassandralock.internal.cassandra;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The lock tables. */
@SuppressWarnings("ImmutableEnumChecker") // both collections are unmodifiable
public enum LockTable {

    /** The algorithm {@code ticket}: a partition per lock, with the slots of all sessions. */
    SLOTS(
            "lock_slots",
            columns(
                    "lock_id text",
                    "session uuid",
                    "slot smallint",
                    "attempt bigint",
                    "phase tinyint",
                    "mode tinyint",
                    "ticket bigint",
                    "base smallint",
                    "last_token bigint static",
                    "value blob static",
                    "value_token bigint static",
                    "value_open bigint static"),
            List.of("lock_id", "session", "slot")),

    /** The sessions of the algorithm {@code ticket}: which processes are alive. */
    SESSIONS(
            "lock_sessions",
            columns(
                    "session uuid",
                    "beat bigint",
                    "nonce uuid",
                    "state text",
                    "lease_ms bigint",
                    "clock_drift double",
                    "owner text",
                    "address text",
                    "secret blob"),
            List.of("session")),

    /** Requests to force-release locks of the algorithm {@code ticket}, if that is switched on: a partition per session. */
    FORCE_RELEASES(
            "lock_breaks",
            columns("session uuid", "lock_id text", "attempt bigint", "asked_by text"),
            List.of("session", "lock_id", "attempt")),

    /** Calls of the algorithm {@code ticket} that wait, if deadlocks are looked for: a row per session. */
    WAITS(
            "lock_waiting",
            columns("session uuid", "seq bigint", "interval_ms bigint", "calls blob"),
            List.of("session")),

    /** The queues of the algorithm {@code queue}: a row per lock, a cell per waiting or holding thread. */
    QUEUE("lock_queue", columns("lock_id text", "cell text"), List.of("lock_id", "cell")),

    /** The main rows of the algorithm {@code queue}: the cells of the holder and of threads that try to become it. */
    QUEUE_MAIN("lock_queue_main", columns("lock_id text", "cell text"), List.of("lock_id", "cell")),

    /** The shadow rows of the algorithm {@code shadow}: the cells of threads that compete for the main row. */
    SHADOW("lock_shadow", columns("lock_id text", "cell text"), List.of("lock_id", "cell")),

    /** The main rows of the algorithm {@code shadow}: the cell of the holder. */
    SHADOW_MAIN("lock_shadow_main", columns("lock_id text", "cell text"), List.of("lock_id", "cell")),

    /** GlobalTime, the time service of the algorithm {@code queue}. */
    GLOBAL_TIME("lock_global_time", columns("name text", "micros bigint"), List.of("name"));

    private final String tableName;
    private final Map<String, String> columns;
    private final List<String> primaryKey;

    LockTable(String tableName, Map<String, String> columns, List<String> primaryKey) {
        this.tableName = tableName;
        this.columns = columns;
        this.primaryKey = primaryKey;
    }

    private static Map<String, String> columns(String... namesAndTypes) {
        Map<String, String> columns = new LinkedHashMap<>();
        for (String column : namesAndTypes) {
            String[] nameAndType = column.split(" ", 2);
            columns.put(nameAndType[0], nameAndType[1]);
        }
        return Collections.unmodifiableMap(columns);
    }

    public String tableName() {
        return tableName;
    }

    /** The type of each column, with the suffix {@code static} for static columns. */
    Map<String, String> columns() {
        return columns;
    }

    /** The names of the columns: the first is the partition key, the others are clustering columns. */
    List<String> primaryKey() {
        return primaryKey;
    }

    /**
     * Returns the statement that creates the table if it does not exist.
     *
     * @param keyspace as CQL writes it
     * @param gcGraceSeconds how long deletions are kept; at least the time to live of what they delete
     */
    public String createStatement(String keyspace, int gcGraceSeconds) {
        String columnList = columns.entrySet().stream()
                .map(column -> column.getKey() + " " + column.getValue())
                .collect(Collectors.joining(", "));
        return "CREATE TABLE IF NOT EXISTS " + keyspace + "." + tableName + " (" + columnList + ", PRIMARY KEY ("
                + String.join(", ", primaryKey) + ")) WITH gc_grace_seconds = " + gcGraceSeconds
                + " AND read_repair = 'NONE'";
    }
}
