package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.sink.SinkOrigin;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import java.util.Optional;
import java.util.function.Supplier;

/** A sink that its copy opens at its first request, so that the application starts without the sink's store. */
final class OpenedSink implements TransactionalSink {

    private final Opened<TransactionalSink> sink;
    private volatile Optional<Long> index = Optional.empty();

    OpenedSink(Supplier<? extends TransactionalSink> opening) {
        sink = new Opened<>(opening);
    }

    /** The index that was read or committed last; empty if none was. */
    Optional<Long> index() {
        return index;
    }

    @Override
    public Optional<SinkOrigin> readOrigin() throws InterruptedException {
        return sink.get().readOrigin();
    }

    @Override
    public void begin(SinkOrigin origin, SinkPosition first) throws InterruptedException {
        sink.get().begin(origin, first);
    }

    @Override
    public SinkPosition readPosition() throws InterruptedException {
        SinkPosition position = sink.get().readPosition();
        index = Optional.of(position.index());
        return position;
    }

    @Override
    public boolean take(SinkPosition from, Message message, SinkPosition to) throws InterruptedException {
        boolean taken = sink.get().take(from, message, to);
        if (taken) {
            index = Optional.of(to.index());
        }
        return taken;
    }
}
