package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.sink.Outbox;
import io.github.cassandralock.exactlyonce.sink.OutboxOrigin;
import io.github.cassandralock.exactlyonce.sink.OutboxTarget;
import io.github.cassandralock.exactlyonce.sink.SinkOrigin;
import io.github.cassandralock.exactlyonce.sink.SinkPosition;
import io.github.cassandralock.exactlyonce.sink.TransactionalSink;
import io.github.cassandralock.exactlyonce.table.MessageTable;
import io.github.cassandralock.exactlyonce.table.TableMessage;
import io.github.cassandralock.exactlyonce.table.TableTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What its copy opens at its first request, and again if that failed. The application therefore starts without the store. Opened
 * by the thread of one copy.
 *
 * @param <T> what is opened
 */
abstract class Opened<T> {

    private final Supplier<? extends T> opening;
    private volatile @Nullable T opened;

    private Opened(Supplier<? extends T> opening) {
        this.opening = opening;
    }

    /** What was opened. Throws what the opening throws. */
    final T get() {
        T present = opened;
        if (present == null) {
            present = opening.get();
            opened = present;
        }
        return present;
    }

    /** What was opened; empty if nothing was. Called by any thread. */
    final Optional<T> present() {
        return Optional.ofNullable(opened);
    }

    /** As what was opened. */
    @Override
    public String toString() {
        return String.valueOf(opened);
    }

    /** A sink. */
    static final class OfSink extends Opened<TransactionalSink> implements TransactionalSink {

        private volatile Optional<Long> index = Optional.empty();

        OfSink(Supplier<? extends TransactionalSink> opening) {
            super(opening);
        }

        /** The index that was read or committed last; empty if none was. */
        Optional<Long> index() {
            return index;
        }

        @Override
        public Optional<SinkOrigin> readOrigin() throws InterruptedException {
            return get().readOrigin();
        }

        @Override
        public void begin(SinkOrigin origin, SinkPosition first) throws InterruptedException {
            get().begin(origin, first);
        }

        @Override
        public SinkPosition readPosition() throws InterruptedException {
            SinkPosition position = get().readPosition();
            index = Optional.of(position.index());
            return position;
        }

        @Override
        public boolean take(SinkPosition from, Message message, SinkPosition to) throws InterruptedException {
            boolean taken = get().take(from, message, to);
            if (taken) {
                index = Optional.of(to.index());
            }
            return taken;
        }
    }

    /** An outbox. */
    static final class OfOutbox extends Opened<Outbox> implements Outbox {

        OfOutbox(Supplier<? extends Outbox> opening) {
            super(opening);
        }

        @Override
        public Optional<List<byte[]>> readRow(long number) throws InterruptedException {
            return get().readRow(number);
        }

        @Override
        public Optional<OutboxOrigin> readOrigin() throws InterruptedException {
            return get().readOrigin();
        }

        @Override
        public void sendTo(OutboxTarget target) throws InterruptedException {
            get().sendTo(target);
        }
    }

    /** The messages of a method, in their table. */
    static final class OfTable extends Opened<MessageTable> implements MessageTable {

        OfTable(Supplier<? extends MessageTable> opening) {
            super(opening);
        }

        @Override
        public TableTransaction begin() throws InterruptedException {
            return get().begin();
        }

        @Override
        public void postpone(TableMessage message, Duration pause, String reason) throws InterruptedException {
            get().postpone(message, pause, reason);
        }

        @Override
        public int count(int most) throws InterruptedException {
            return get().count(most);
        }

        /** How many messages wait, at most so many. Empty before the copy has opened the table. Called by any thread. */
        Optional<Long> readLag(int most) throws InterruptedException {
            Optional<MessageTable> present = present();
            return present.isPresent() ? Optional.of((long) present.get().count(most)) : Optional.empty();
        }
    }
}
