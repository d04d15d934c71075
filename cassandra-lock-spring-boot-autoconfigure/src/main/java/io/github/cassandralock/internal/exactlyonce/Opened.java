package io.github.cassandralock.internal.exactlyonce;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens something at its first use, and again if that failed. Used by the thread of one copy.
 *
 * @param <T> what is opened
 */
final class Opened<T> {

    private final Supplier<? extends T> opening;
    private final AtomicReference<@Nullable T> opened = new AtomicReference<>();

    Opened(Supplier<? extends T> opening) {
        this.opening = opening;
    }

    /** What was opened. Throws what the opening throws. */
    T get() {
        T present = opened.get();
        if (present == null) {
            present = opening.get();
            opened.set(present);
        }
        return present;
    }
}
