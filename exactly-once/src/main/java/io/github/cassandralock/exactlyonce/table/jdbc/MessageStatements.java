package io.github.cassandralock.exactlyonce.table.jdbc;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.table.Lanes;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The statements on the table of messages. Limits are literals, not parameters. PostgreSQL then recognises that a plan for all
 * parameters is as good as one for each. It plans once for each connection.
 */
record MessageStatements(Database database, String table) {

    /** All messages, each in one part. Each part has an index in PostgreSQL. */
    static final List<String> PARTS = List.of(
            "not_before IS NULL AND lane IS NULL", "lane IS NOT NULL", "not_before IS NOT NULL AND lane IS NULL");

    List<String> create() {
        return switch (database) {
            case POSTGRESQL ->
                List.of(
                        createTable(),
                        createIndex("new", "(queue, id) WHERE not_before IS NULL AND lane IS NULL"),
                        createIndex("lane", "(queue, lane, id) WHERE lane IS NOT NULL"),
                        createIndex("failed", "(queue, not_before) WHERE not_before IS NOT NULL"));
            case H2 -> List.of(createTable(), createIndex("failed", "(queue, not_before, id)"));
        };
    }

    private String createTable() {
        return "CREATE TABLE IF NOT EXISTS " + table + " (queue " + database.getNameType()
                + " NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, payload " + database.getBytesType()
                + " NOT NULL, lane smallint CHECK (lane BETWEEN 0 AND " + (Lanes.COUNT - 1)
                + "), failures integer DEFAULT 0 NOT NULL, not_before timestamp with time zone,"
                + " last_failure varchar(500), PRIMARY KEY (id))";
    }

    /** Each kind of messages has an index of its own in PostgreSQL, so no kind slows the search for another. */
    private String createIndex(String suffix, String of) {
        String name = table.substring(table.indexOf('.') + 1);
        return "CREATE INDEX IF NOT EXISTS " + name + "_" + suffix + " ON " + table + " " + of;
    }

    /** A row if the table exists; does not fail otherwise. */
    String exists() {
        return switch (database) {
            case POSTGRESQL -> "SELECT 1 WHERE to_regclass('" + table + "') IS NOT NULL";
            case H2 ->
                "SELECT 1 FROM information_schema.tables WHERE table_schema = "
                        + (table.contains(".")
                                ? "UPPER('" + table.substring(0, table.indexOf('.')) + "')"
                                : "CURRENT_SCHEMA")
                        + " AND table_name = UPPER('" + table.substring(table.indexOf('.') + 1) + "')";
        };
    }

    /** All columns that are used, and no row. */
    String readNothing() {
        return "SELECT queue, id, payload, lane, failures, not_before, last_failure FROM " + table + " WHERE 1 = 0";
    }

    /** Parameters: queue, payload, lane. */
    String push() {
        return "INSERT INTO " + table + " (queue, payload, lane) VALUES (?, ?, ?)";
    }

    /** Parameter: queue. */
    String lockNew(int most) {
        return "SELECT id, payload, failures FROM " + table
                + " WHERE queue = ? AND lane IS NULL AND not_before IS NULL ORDER BY id LIMIT " + most
                + " FOR UPDATE SKIP LOCKED";
    }

    /** Parameter: queue. */
    String lockFailed(int most) {
        return "SELECT id, payload, failures FROM " + table
                + " AS failed WHERE queue = ? AND not_before <= CURRENT_TIMESTAMP AND (lane IS NULL OR NOT EXISTS (SELECT 1"
                + " FROM " + table + " AS earlier WHERE earlier.queue = failed.queue AND earlier.lane = failed.lane"
                + " AND earlier.id < failed.id)) ORDER BY not_before LIMIT " + most + " FOR UPDATE SKIP LOCKED";
    }

    /** The first message of a lane, if it has never failed: the oldest of all such. Parameter: queue. */
    String lockHead() {
        return "SELECT id, lane FROM " + table + " WHERE id IN (" + heads()
                + ") AND not_before IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED";
    }

    /** In PostgreSQL, each lane costs one look into the index, however many messages it has. */
    private String heads() {
        return switch (database) {
            case POSTGRESQL ->
                "SELECT head.id FROM generate_series(0, " + (Lanes.COUNT - 1)
                        + ") AS lanes(lane), LATERAL (SELECT id, not_before FROM " + table
                        + " WHERE queue = ? AND lane = lanes.lane ORDER BY id LIMIT 1) AS head"
                        + " WHERE head.not_before IS NULL";
            case H2 -> "SELECT MIN(id) FROM " + table + " WHERE queue = ? AND lane IS NOT NULL GROUP BY lane";
        };
    }

    /**
     * The first message of a lane and the messages behind it. Nothing if an earlier message has been committed since the first one
     * was locked. A message behind both may have to come after it. Waits for messages that another transaction has locked, because
     * an earlier message was committed late. Parameters: queue, lane, and twice the id of the first.
     */
    String lockLane(int most) {
        return "SELECT id, payload, failures FROM " + table
                + " AS message WHERE queue = ? AND lane = ? AND id >= ? AND NOT EXISTS (SELECT 1 FROM " + table
                + " AS earlier WHERE earlier.queue = message.queue AND earlier.lane = message.lane"
                + " AND earlier.id < ?) ORDER BY id LIMIT " + most + " FOR UPDATE";
    }

    /** Parameter: queue. */
    String failed(int most) {
        return "SELECT id, failures, last_failure FROM " + table
                + " WHERE queue = ? AND not_before IS NOT NULL ORDER BY not_before LIMIT " + most;
    }

    /** A parameter of each part: queue. */
    String count(int most) {
        return PARTS.stream()
                .map(part -> "SELECT 1 FROM " + table + " WHERE queue = ? AND " + part)
                .collect(
                        Collectors.joining(" UNION ALL ", "SELECT count(*) FROM (", " LIMIT " + most + ") AS waiting"));
    }

    /**
     * Deletes nothing if the transaction has ended, or the server would forget its commit. Leaves out a message that its effect has
     * moved to another queue. Parameters: queue, array of ids.
     */
    String delete() {
        return "DELETE FROM " + table + " WHERE queue = ? AND id = ANY (?)"
                + switch (database) {
                    case POSTGRESQL -> " AND " + Database.keepsOpenTransaction();
                    case H2 -> "";
                };
    }

    /** Parameters: milliseconds, reason, queue, id. */
    String postpone() {
        return "UPDATE " + table + " SET failures = failures + 1, not_before = "
                + switch (database) {
                    case POSTGRESQL -> "CURRENT_TIMESTAMP + ? * INTERVAL '1 millisecond'";
                    case H2 -> "DATEADD('MILLISECOND', ?, CURRENT_TIMESTAMP)";
                }
                + ", last_failure = ? WHERE queue = ? AND id = ?";
    }
}
