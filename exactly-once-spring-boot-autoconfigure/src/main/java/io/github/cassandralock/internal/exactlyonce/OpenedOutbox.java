package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.sink.Outbox;
import io.github.cassandralock.exactlyonce.sink.OutboxOrigin;
import io.github.cassandralock.exactlyonce.sink.OutboxTarget;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** An outbox that its pump opens at its first request, so that the application starts without the outbox's store. */
final class OpenedOutbox implements Outbox {

    private final Opened<Outbox> outbox;

    OpenedOutbox(Supplier<? extends Outbox> opening) {
        outbox = new Opened<>(opening);
    }

    @Override
    public Optional<List<byte[]>> readRow(long number) throws InterruptedException {
        return outbox.get().readRow(number);
    }

    @Override
    public Optional<OutboxOrigin> readOrigin() throws InterruptedException {
        return outbox.get().readOrigin();
    }

    @Override
    public void sendTo(OutboxTarget target) throws InterruptedException {
        outbox.get().sendTo(target);
    }

    @Override
    public String toString() {
        return outbox.toString();
    }
}
