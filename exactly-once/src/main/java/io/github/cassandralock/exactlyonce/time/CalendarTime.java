package io.github.cassandralock.exactlyonce.time;

/** The calendar of this machine. It may be wrong and may go back. Only the time in a handler's state comes from it. */
@FunctionalInterface
public interface CalendarTime {

    /** Milliseconds since 1970-01-01T00:00Z. */
    long readEpochMillis();

    /** {@link System#currentTimeMillis()}. */
    static CalendarTime system() {
        return System::currentTimeMillis;
    }
}
