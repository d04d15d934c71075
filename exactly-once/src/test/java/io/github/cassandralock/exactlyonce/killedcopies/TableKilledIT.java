package io.github.cassandralock.exactlyonce.killedcopies;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import io.github.cassandralock.exactlyonce.table.jdbc.JdbcMessageTable;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Copies that take messages of a table in PostgreSQL, in processes of their own: killed (SIGKILL) and started again, stopped (SIGSTOP)
 * and woken. {@code -Dkilled.seed=N} gives another order of faults.
 */
@Tag("slow")
class TableKilledIT {

    private static final int COPIES = 2;
    private static final int LANES = 3;
    private static final int FAULTS = 12;
    private static final int MESSAGES_BETWEEN_FAULTS = 100;
    private static final long SEED = Long.getLong("killed.seed", 21);

    @TempDir
    Path logs;

    private final Random random = new Random(SEED);
    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private long pushed;

    @Test
    @Timeout(300)
    void eachMessageTakesEffectOnceThoughCopiesAreKilledAndStopped() throws Exception {
        List<CopyProcess> copies = new ArrayList<>();
        try (PostgresServer postgres = PostgresServer.start()) {
            String url = PostgresServer.url(postgres.address(), "");
            source.setUrl(url);
            JdbcMessageTable.createTable(source, TableMain.SETTINGS);
            execute("CREATE TABLE effects (message bigint NOT NULL, number bigint GENERATED ALWAYS AS IDENTITY)");
            try {
                for (int copy = 0; copy < COPIES; copy++) {
                    copies.add(CopyProcess.start(TableMain.class, List.of(url), logs.resolve("copy-" + copy + ".log")));
                }
                for (int fault = 0; fault < FAULTS; fault++) {
                    push(MESSAGES_BETWEEN_FAULTS);
                    awaitEffects(pushed - random.nextInt(MESSAGES_BETWEEN_FAULTS));
                    makeFault(copies.get(fault % COPIES));
                }
                awaitEffects(pushed);
                assertThat(numbers("SELECT message FROM effects ORDER BY message"))
                        .containsExactlyElementsOf(
                                LongStream.range(0, pushed).boxed().toList());
                for (int lane = 0; lane < LANES; lane++) {
                    assertThat(numbers("SELECT message FROM effects WHERE message % " + 2 * LANES + " = " + 2 * lane
                                    + " ORDER BY number"))
                            .as("messages with a key, of lane %d", lane)
                            .isNotEmpty()
                            .isSorted();
                }
            } finally {
                copies.forEach(CopyProcess::close);
            }
        }
    }

    private void push(int messages) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement(JdbcMessageTable.pushStatement(TableMain.SETTINGS))) {
            for (int message = 0; message < messages; message++) {
                statement.setString(1, TableMain.QUEUE);
                statement.setBytes(2, Codec.utf8().encode(Long.toString(pushed)));
                statement.setObject(3, lane(pushed), Types.SMALLINT);
                statement.addBatch();
                pushed++;
            }
            statement.executeBatch();
        }
    }

    /** Every other message has one. */
    private static @Nullable Integer lane(long message) {
        return message % 2 == 0 ? (int) (message / 2 % LANES) : null;
    }

    private void awaitEffects(long count) throws SQLException, InterruptedException {
        while (numbers("SELECT count(*) FROM effects").get(0) < count) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** The other copy goes on meanwhile. */
    private void makeFault(CopyProcess copy) throws Exception {
        if (random.nextBoolean()) {
            copy.stop();
            push(MESSAGES_BETWEEN_FAULTS);
            awaitEffects(pushed);
            copy.resume();
        } else {
            copy.kill();
            copy.startAgain();
        }
    }

    private List<Long> numbers(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<Long> numbers = new ArrayList<>();
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
            return numbers;
        }
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
