package io.github.cassandralock.internal.exactlyonce;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens something at its first use, and again if that failed. Opened by the thread of one copy.
 *
 * @param <T> what is opened
 */
final class Opened<T> {

    private final Supplier<? extends T> opening;
    private volatile @Nullable T opened;

    Opened(Supplier<? extends T> opening) {
        this.opening = opening;
    }

    /** What was opened. Throws what the opening throws. */
    T get() {
        T present = opened;
        if (present == null) {
            present = opening.get();
            opened = present;
        }
        return present;
    }

    /** What was opened; empty if nothing was. Called by any thread. */
    Optional<T> present() {
        return Optional.ofNullable(opened);
    }

    /** As what was opened. */
    @Override
    public String toString() {
        return String.valueOf(opened);
    }
}
