package io.github.cassandralock.internal.startup;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Marks an exception by being suppressed in it: its source is not open yet. */
final class NotOpenMark extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient RepeatedStart<?> source;

    NotOpenMark(RepeatedStart<?> source) {
        super("The session is not open yet", null, false, false);
        this.source = source;
    }

    /** Returns the source that is not open yet, if the failure comes from one. */
    static Optional<RepeatedStart<?>> sourceOf(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .flatMap(cause -> Stream.of(cause.getSuppressed()))
                .filter(NotOpenMark.class::isInstance)
                .<RepeatedStart<?>>map(mark -> ((NotOpenMark) mark).source)
                .findFirst();
    }
}
