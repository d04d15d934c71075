package io.github.cassandralock.autoconfigure.operator;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates something at its first use, once that is possible, and keeps it. Two concurrent threads may create it twice; one result
 * is kept. Thread-safe.
 */
final class FirstUse<T> implements Supplier<Optional<T>> {

    private final Supplier<Optional<T>> creation;
    private final AtomicReference<@Nullable T> created = new AtomicReference<>();

    /** @param creation empty if it cannot be created yet */
    FirstUse(Supplier<Optional<T>> creation) {
        this.creation = creation;
    }

    @Override
    public Optional<T> get() {
        T present = created.get();
        if (present != null) {
            return Optional.of(present);
        }
        creation.get().ifPresent(fresh -> created.compareAndSet(null, fresh));
        return Optional.ofNullable(created.get());
    }
}
