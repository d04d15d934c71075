package io.github.cassandralock.exactlyonce.killedcopies;

import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.SoleProducer;
import io.github.cassandralock.exactlyonce.queue.TwoProducersException;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Imports the rows of a table by their ids, as the guide shows it. It ends when its standard input does. */
final class ImporterMain {

    private static final int ROWS_AT_ONCE = 20;

    private ImporterMain() {}

    static MessageQueue queue(DataSource source) {
        return new MessageQueue(
                "imported",
                new Layout.Ring(50),
                Registers.of(JdbcRegisterStore.open(source, JdbcStoreSettings.defaults())));
    }

    static long idIn(Message message) {
        return Long.parseLong(new String(message.payloads().get(0), StandardCharsets.UTF_8));
    }

    /** @param arguments the URL of the database, with the rows and the queue */
    public static void main(String[] arguments) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(arguments[0]);
        Thread importer = Thread.currentThread();
        Thread end = new Thread(() -> awaitEndOfInput(importer), "end-of-input");
        end.setDaemon(true);
        end.start();
        MessageQueue queue = queue(source);
        while (true) {
            SoleProducer producer = queue.openSoleProducer("importer");
            try {
                importRows(producer, source);
            } catch (TwoProducersException e) {
                // The other importer was faster, or a push of one that was killed came late.
            }
        }
    }

    private static void awaitEndOfInput(Thread importer) {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // It has ended, too.
        }
        importer.interrupt();
    }

    private static void importRows(SoleProducer producer, DataSource source) throws SQLException, InterruptedException {
        while (true) {
            List<Long> rows =
                    behind(source, producer.getLast().map(ImporterMain::idIn).orElse(0L));
            for (long id : rows) {
                producer.push(Long.toString(id).getBytes(StandardCharsets.UTF_8));
            }
            if (rows.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    private static List<Long> behind(DataSource source, long last) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT id FROM orders WHERE id > ? ORDER BY id LIMIT ?")) {
            statement.setLong(1, last);
            statement.setInt(2, ROWS_AT_ONCE);
            try (ResultSet rows = statement.executeQuery()) {
                List<Long> ids = new ArrayList<>();
                while (rows.next()) {
                    ids.add(rows.getLong(1));
                }
                return ids;
            }
        }
    }
}
