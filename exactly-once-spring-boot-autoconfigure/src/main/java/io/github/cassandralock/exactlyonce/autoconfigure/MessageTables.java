package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import io.github.cassandralock.exactlyonce.table.jdbc.JdbcMessageTable;
import io.github.cassandralock.exactlyonce.table.jdbc.MessageTableSettings;
import io.github.cassandralock.exactlyonce.table.jdbc.TableEffect;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The table of messages in the application's database. It is created at its first use. Thread-safe. */
final class MessageTables {

    private final Supplier<DataSource> chosen;
    private final UnaryOperator<DataSource> bound;
    private final MessageTableSettings settings;
    private final boolean createTable;
    private volatile MessagePusher.@Nullable Target target;

    /**
     * @param chosen the data source of the application
     * @param bound the data source whose connection its transactions bind to their thread
     * @param settings name the table
     * @param createTable whether the table is created if it does not exist
     */
    MessageTables(
            Supplier<DataSource> chosen,
            UnaryOperator<DataSource> bound,
            MessageTableSettings settings,
            boolean createTable) {
        this.chosen = chosen;
        this.bound = bound;
        this.settings = settings;
        this.createTable = createTable;
    }

    /**
     * Does no I/O.
     *
     * @throws InvalidExactlyOncePropertyException if the application has no data source, or several and none is chosen
     */
    DataSource source() {
        return ChosenDataSource.beneathTransactions(chosen.get());
    }

    /** Opens a queue for its method. Blocks. */
    JdbcMessageTable open(String queue, TableEffect effect) {
        create();
        return JdbcMessageTable.open(source(), queue, settings, effect);
    }

    private void create() {
        if (createTable) {
            JdbcMessageTable.createTable(source(), settings);
        }
    }

    /** Where to push. Blocks at its first use. */
    MessagePusher.Target target() {
        MessagePusher.Target present = target;
        if (present == null) {
            DataSource pushed = bound.apply(source());
            if (!isFoundByTransaction(pushed)) {
                create();
            }
            present = new MessagePusher.Target(pushed, JdbcMessageTable.pushStatement(settings));
            target = present;
        }
        return present;
    }

    /** Its own connection answers: a pool may have no second one. */
    private boolean isFoundByTransaction(DataSource pushed) {
        return createTable
                && TransactionSynchronizationManager.hasResource(pushed)
                && Boolean.TRUE.equals(new JdbcTemplate(pushed).execute((ConnectionCallback<Boolean>)
                        connection -> JdbcMessageTable.exists(connection, settings)));
    }
}
