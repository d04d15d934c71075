package io.github.cassandralock.benchmarks.plain;

import com.zaxxer.hikari.HikariDataSource;
import io.github.cassandralock.testing.statistics.Median;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A method with {@code @ExactlyOnce} beside a consumer written by hand, on one PostgreSQL, in turns. */
public final class PlainComparison {

    private static final List<Integer> GROUPS = List.of(1, 10, 100);
    private static final List<Integer> COPIES = List.of(1, 2);
    private static final int MOST_MESSAGES = 200_000;
    private static final int LONGEST_MINUTES = 10;

    private PlainComparison() {}

    private record Measured(String way, int group, int copies, double messagesPerSecond) {}

    /**
     * Measures both ways with each size of groups, and one and two copies. The first pass of each is a warm-up.
     *
     * @param url of a PostgreSQL with its settings as they are installed
     * @param runs of which medians are taken
     * @param mostGroups of a pass
     * @return a row for each size and number of copies
     */
    public static List<PlainRow> measure(String url, int runs, int mostGroups) throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url + "&reWriteBatchedInserts=true");
            pool.setMaximumPoolSize(8);
            execute(pool, "CREATE TABLE shipments (item text NOT NULL)");
            List<Consumers> ways = List.of(new ByMethod(), new ByHand(pool));
            List<Measured> all = new ArrayList<>();
            for (int run = 0; run <= runs; run++) {
                for (int group : GROUPS) {
                    for (int copies : COPIES) {
                        for (Consumers way : ways) {
                            double rate = rate(pool, way, group, copies, messages(group, mostGroups));
                            if (run > 0) {
                                all.add(new Measured(way.name(), group, copies, rate));
                            }
                        }
                    }
                }
            }
            return GROUPS.stream()
                    .flatMap(group -> COPIES.stream().map(copies -> row(group, copies, all)))
                    .toList();
        }
    }

    private static int messages(int group, int mostGroups) {
        return Math.min(MOST_MESSAGES, group * mostGroups);
    }

    private static double rate(HikariDataSource pool, Consumers way, int group, int copies, int messages)
            throws Exception {
        execute(pool, "TRUNCATE shipments");
        way.fill(pool, messages);
        execute(pool, "VACUUM ANALYZE");
        execute(pool, "CHECKPOINT");
        try (Consumers.Running running = way.start(pool, copies, group, messages)) {
            long first = awaitFirst(running, messages);
            long left = running.effects().getCount();
            if (!running.effects().await(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                throw new IllegalStateException(way.name() + " has not taken all messages");
            }
            return left / ((System.nanoTime() - first) / 1e9);
        }
    }

    /** The starts of threads and applications do not count. */
    private static long awaitFirst(Consumers.Running running, int messages) throws InterruptedException {
        while (running.effects().getCount() > messages - messages / 10) {
            TimeUnit.MICROSECONDS.sleep(100);
        }
        return System.nanoTime();
    }

    private static PlainRow row(int group, int copies, List<Measured> all) {
        double method = median("method", group, copies, all);
        double byHand = median("by hand", group, copies, all);
        return new PlainRow(group, copies, method, byHand, method / byHand, method / median("method", group, 1, all));
    }

    private static double median(String way, int group, int copies, List<Measured> all) {
        return Median.of(all.stream()
                .filter(each -> each.way().equals(way) && each.group() == group && each.copies() == copies)
                .map(Measured::messagesPerSecond)
                .toList());
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
