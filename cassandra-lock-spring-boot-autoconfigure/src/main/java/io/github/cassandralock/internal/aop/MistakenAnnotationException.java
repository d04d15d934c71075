package io.github.cassandralock.internal.aop;

import org.jspecify.annotations.Nullable;

/** A {@code @DistributedLock} without effect, or without the promised effect. The message explains what to do. */
public final class MistakenAnnotationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    MistakenAnnotationException(String message) {
        super(message);
    }

    MistakenAnnotationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
