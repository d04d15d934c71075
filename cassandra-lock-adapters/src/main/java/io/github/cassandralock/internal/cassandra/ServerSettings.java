package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once, at the start, about server settings that harm locks. Sends a request to one node and does not wait for the answer. A
 * failed request is not repeated, for example if the user lacks the permission.
 */
record ServerSettings(CqlPort port) {

    private static final Logger log = LoggerFactory.getLogger(ServerSettings.class);

    private static final String COMMIT_LOG = "commitlog_sync";
    private static final String OLDEST_TIMESTAMP = "minimum_timestamp_fail_threshold";
    private static final String NEWEST_TIMESTAMP = "maximum_timestamp_fail_threshold";
    private static final String PAGE_SIZE = "page_size_fail_threshold";

    private static final String QUERY = "SELECT name, value FROM system_views.settings WHERE name IN ('" + COMMIT_LOG
            + "', '" + OLDEST_TIMESTAMP + "', '" + NEWEST_TIMESTAMP + "', '" + PAGE_SIZE + "')";

    private static final String SEE = " See \"What Cassandra must be set to\" in docs/reliability.md.";

    void warn() {
        port.execute(SimpleStatement.newInstance(QUERY).setIdempotent(true).setConsistencyLevel(ConsistencyLevel.ONE))
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        warn(settings(answer));
                    } else {
                        log.debug("Could not read the settings of the servers", failure);
                    }
                });
    }

    private static Map<String, String> settings(AsyncResultSet answer) {
        Map<String, String> settings = new HashMap<>();
        for (Row row : answer.currentPage()) {
            settings.put(String.valueOf(row.getString("name")), String.valueOf(row.getString("value")));
        }
        return settings;
    }

    private static void warn(Map<String, String> settings) {
        if ("periodic".equals(settings.getOrDefault(COMMIT_LOG, "").toLowerCase(Locale.ROOT))) {
            log.warn(
                    "Cassandra acknowledges writes before they are on disk (commitlog_sync: periodic). A node that loses power"
                            + " loses the writes of the last seconds; two processes could then hold one lock. Set"
                            + " 'commitlog_sync: group' in cassandra.yaml of every node." + SEE);
        }
        if (isSet(settings.get(OLDEST_TIMESTAMP))) {
            log.warn(
                    "Cassandra rejects old timestamps ({}: {}), and therefore all writes of the algorithm 'ticket', whose"
                            + " timestamps are small counters. Remove the guardrail." + SEE,
                    OLDEST_TIMESTAMP,
                    settings.get(OLDEST_TIMESTAMP));
        }
        if (isSet(settings.get(NEWEST_TIMESTAMP))) {
            log.warn(
                    "Cassandra rejects timestamps in the future ({}: {}). The algorithm 'ticket' needs one to delete the slots"
                            + " of a crashed process; without it, its locks stay taken for hours. Remove the guardrail."
                            + SEE,
                    NEWEST_TIMESTAMP,
                    settings.get(NEWEST_TIMESTAMP));
        }
        if (isBelow(settings.get(PAGE_SIZE), TableRequests.ONE_PAGE)) {
            log.warn(
                    "Cassandra rejects the page size with which locks are read ({}: {}). Set the guardrail to {} or more."
                            + SEE,
                    PAGE_SIZE,
                    settings.get(PAGE_SIZE),
                    TableRequests.ONE_PAGE);
        }
    }

    private static boolean isSet(@Nullable String value) {
        return value != null && !value.isEmpty() && !value.equals("null");
    }

    /** A guardrail that is not positive is switched off. */
    private static boolean isBelow(@Nullable String limit, int size) {
        try {
            return isSet(limit) && Integer.parseInt(limit) > 0 && Integer.parseInt(limit) < size;
        } catch (NumberFormatException e) {
            log.debug("The limit '{}' is not a number", limit, e);
            return false;
        }
    }
}
