package io.github.cassandralock.exactlyonce.killedcopies;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Two importers of the same rows, one of them by mistake, in processes of their own: killed (SIGKILL) and started again, stopped
 * (SIGSTOP) and woken. {@code -Dkilled.seed=N} gives another order of faults, {@code -Dimported.rows=N} more of them.
 */
@Tag("slow")
@Tag("nightly")
class ImportersKilledIT {

    private static final int ROWS = Integer.getInteger("imported.rows", 400);
    private static final int IMPORTERS = 2;
    private static final int ROWS_BETWEEN_FAULTS = 24;
    private static final long SEED = Long.getLong("killed.seed", 21);

    @TempDir
    Path logs;

    private final Random random = new Random(SEED);
    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private int kills;
    private int stops;

    @Test
    @Timeout(1_200)
    void eachRowIsThereOnceAndInOrderThoughImportersAreKilledAndTwoOfThemRun() throws Exception {
        List<CopyProcess> importers = new ArrayList<>();
        try (PostgresServer postgres = PostgresServer.start()) {
            String url = PostgresServer.url(postgres.address(), "");
            source.setUrl(url);
            List<Long> ids = writeRows(source);
            JdbcRegisterStore.createTable(source, JdbcStoreSettings.defaults());
            MessageQueue queue = ImporterMain.queue(source);
            queue.addConsumer("test");
            try {
                for (int importer = 0; importer < IMPORTERS; importer++) {
                    importers.add(CopyProcess.start(
                            ImporterMain.class, List.of(url), logs.resolve("importer-" + importer + ".log")));
                }
                assertThat(taken(queue, importers)).isEqualTo(ids);
                assertThat(queue.read(ROWS)).isInstanceOf(Cell.Absent.class);
            } finally {
                importers.forEach(CopyProcess::close);
            }
        }
        System.out.println("Seed " + SEED + ": " + kills + " kills, " + stops + " stops");
        assertThat(kills).isGreaterThan(2);
        assertThat(stops).isGreaterThan(2);
    }

    /** Ids that do not begin at 0, and have gaps. */
    private List<Long> writeRows(DataSource database) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = database.getConnection();
                Statement table = connection.createStatement()) {
            table.execute("CREATE TABLE orders (id bigint PRIMARY KEY)");
            try (PreparedStatement row = connection.prepareStatement("INSERT INTO orders VALUES (?)")) {
                long id = 4_711;
                for (int i = 0; i < ROWS; i++) {
                    id += 1 + random.nextInt(3);
                    ids.add(id);
                    row.setLong(1, id);
                    row.addBatch();
                }
                row.executeBatch();
            }
        }
        return ids;
    }

    private List<Long> taken(MessageQueue queue, List<CopyProcess> importers) throws Exception {
        List<Long> taken = new ArrayList<>();
        while (taken.size() < ROWS) {
            if (queue.read(taken.size()) instanceof Cell.Full full) {
                taken.add(ImporterMain.idIn(full.message()));
                queue.raiseMark("test", taken.size());
                if (random.nextInt(ROWS_BETWEEN_FAULTS) == 0) {
                    makeFault(importers);
                }
            } else {
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
        return taken;
    }

    /** Wakes the one that is stopped, or stops one, or kills it; the other one goes on. */
    private void makeFault(List<CopyProcess> importers) throws Exception {
        CopyProcess importer = importers.get(random.nextInt(IMPORTERS));
        boolean anyStopped = importers.stream().anyMatch(CopyProcess::isStopped);
        if (!anyStopped && random.nextBoolean()) {
            importer.stop();
            stops++;
        } else {
            for (CopyProcess stopped : importers) {
                if (stopped.isStopped()) {
                    stopped.resume();
                }
            }
            importer.kill();
            importer.startAgain();
            kills++;
        }
    }
}
