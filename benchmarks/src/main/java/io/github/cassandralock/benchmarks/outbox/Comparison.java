package io.github.cassandralock.benchmarks.outbox;

import com.zaxxer.hikari.HikariDataSource;
import io.github.cassandralock.testing.statistics.Median;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A handler beside a transactional outbox on one PostgreSQL, in turns. */
public final class Comparison {

    /** Of each row: what is measured is to take more than an instant, and groups of one are slow. */
    private static final int MESSAGES = 20_000;

    private static final int FEWEST_GROUPS = 200;

    private Comparison() {}

    /** What one pass has given. */
    private record Measured(String way, int size, Passage passage) {}

    /**
     * Measures both ways with each size of groups. The first pass of each is a warm-up.
     *
     * @param url of a PostgreSQL with its settings as they are installed
     * @param sizes of groups
     * @param runs of which medians are taken
     * @param mostGroups of a pass
     * @return a row for each size and way
     */
    public static List<Throughput> measure(String url, List<Integer> sizes, int runs, int mostGroups) throws Exception {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setJdbcUrl(url + "&reWriteBatchedInserts=true");
            pool.setMaximumPoolSize(4);
            List<Way> ways = List.of(new HandlerWay(pool), new OutboxWay(pool));
            List<Measured> all = new ArrayList<>();
            for (int run = 0; run <= runs; run++) {
                for (int size : sizes) {
                    for (Way way : ways) {
                        vacuum(pool);
                        Passage passage = way.pass(groups(size, mostGroups), size);
                        if (run > 0) {
                            all.add(new Measured(way.name(), size, passage));
                        }
                    }
                }
            }
            return sizes.stream()
                    .flatMap(size -> ways.stream().map(way -> medians(way.name(), size, all)))
                    .toList();
        }
    }

    private static int groups(int size, int most) {
        return Math.min(most, Math.max(FEWEST_GROUPS, MESSAGES / size));
    }

    /** What an earlier pass has left to be cleaned is not to be cleaned during this one. */
    private static void vacuum(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM ANALYZE");
            statement.execute("CHECKPOINT");
        }
    }

    private static Throughput medians(String way, int size, List<Measured> all) {
        List<Passage> passages = all.stream()
                .filter(measured -> measured.way().equals(way) && measured.size() == size)
                .map(Measured::passage)
                .toList();
        return new Throughput(
                way,
                size,
                passages.get(0).messages(),
                median(passages, Passage::messagesPerSecond),
                median(passages, Passage::requestsPerMessage),
                median(passages, Passage::commitsPerMessage));
    }

    private static double median(List<Passage> passages, Function<Passage, Double> figure) {
        return Median.of(passages.stream().map(figure).toList());
    }
}
