package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.table.MessageTable;
import io.github.cassandralock.exactlyonce.table.TableMessage;
import io.github.cassandralock.exactlyonce.table.TableTransaction;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** A table that its copy opens at its first request, so that the application starts without the database. */
final class OpenedTable implements MessageTable {

    private final Opened<MessageTable> table;

    OpenedTable(Supplier<? extends MessageTable> opening) {
        table = new Opened<>(opening);
    }

    @Override
    public TableTransaction begin() throws InterruptedException {
        return table.get().begin();
    }

    @Override
    public void postpone(TableMessage message, Duration pause, String reason) throws InterruptedException {
        table.get().postpone(message, pause, reason);
    }

    @Override
    public int count(int most) throws InterruptedException {
        return table.get().count(most);
    }

    /** How many messages wait, at most so many. Empty before the copy has opened the table. Called by any thread. */
    Optional<Long> readLag(int most) throws InterruptedException {
        Optional<MessageTable> present = table.present();
        return present.isPresent() ? Optional.of((long) present.get().count(most)) : Optional.empty();
    }

    @Override
    public String toString() {
        return table.toString();
    }
}
