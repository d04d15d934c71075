package io.github.cassandralock.internal.startup;

import java.time.Duration;
import java.util.StringJoiner;

/** Durations that are compared, such as values of properties: {@code 1 h 1 s}, {@code 3 s 751 ms}. */
public final class ExactDuration {

    private ExactDuration() {}

    /** Writes the whole duration, down to the nanosecond. */
    public static String text(Duration duration) {
        StringJoiner parts = new StringJoiner(" ");
        add(parts, duration.toDaysPart(), "d");
        add(parts, duration.toHoursPart(), "h");
        add(parts, duration.toMinutesPart(), "min");
        add(parts, duration.toSecondsPart(), "s");
        add(parts, duration.toMillisPart(), "ms");
        add(parts, duration.toNanosPart() / 1_000 % 1_000, "µs");
        add(parts, duration.toNanosPart() % 1_000, "ns");
        return parts.length() == 0 ? "0 s" : parts.toString();
    }

    private static void add(StringJoiner parts, long amount, String unit) {
        if (amount != 0) {
            parts.add(amount + " " + unit);
        }
    }
}
