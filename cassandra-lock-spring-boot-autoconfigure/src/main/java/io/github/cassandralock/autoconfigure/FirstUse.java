package io.github.cassandralock.autoconfigure;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates something when it is used first, and again if that failed. Two threads that come at once may create it twice; one result
 * is kept. Thread-safe.
 */
final class FirstUse<T> implements Supplier<T> {

    private final Supplier<T> creation;
    private final AtomicReference<@Nullable T> created = new AtomicReference<>();

    FirstUse(Supplier<T> creation) {
        this.creation = creation;
    }

    @Override
    public T get() {
        T present = created.get();
        if (present != null) {
            return present;
        }
        T fresh = creation.get();
        return created.compareAndSet(null, fresh) ? fresh : get();
    }
}
