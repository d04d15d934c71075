package io.github.cassandralock.exactlyonce.killedcopies;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.table.TableCopy;
import io.github.cassandralock.exactlyonce.table.TableListener;
import io.github.cassandralock.exactlyonce.table.jdbc.JdbcMessageTable;
import io.github.cassandralock.exactlyonce.table.jdbc.MessageTableSettings;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** A copy that takes messages of a table. It ends when its standard input does. */
final class TableMain {

    static final String QUEUE = "orders";

    /** A copy that stands still does not hold its messages for long. */
    static final MessageTableSettings SETTINGS = MessageTableSettings.defaults()
            .withTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(5));

    private static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(50));
    private static final int GROUP = 5;

    private TableMain() {}

    /** @param arguments the URL of the database */
    public static void main(String[] arguments) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(arguments[0]);
        TableCopy copy = new TableCopy(
                QUEUE,
                JdbcMessageTable.open(source, QUEUE, SETTINGS, TableMain::apply),
                GROUP,
                PAUSES,
                PAUSES,
                "1",
                List.of(new TableListener() {}),
                CopyEnvironment.ofThisMachine());
        copy.start();
        System.in.transferTo(OutputStream.nullOutputStream());
        copy.close();
    }

    private static void apply(Connection connection, List<Bytes> payloads) throws Exception {
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO effects (message) VALUES (?)")) {
            for (Bytes payload : payloads) {
                statement.setLong(1, Long.parseLong(payload.as(Codec.utf8())));
                statement.executeUpdate();
            }
        }
    }
}
