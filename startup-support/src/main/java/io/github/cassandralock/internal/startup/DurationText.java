package io.github.cassandralock.internal.startup;

import java.time.Duration;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/** Durations as people write and read them: {@code 1 h 1 s}, {@code 3 s 751 ms}. */
public final class DurationText {

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern ZERO = Pattern.compile("[+-]?0+");

    private DurationText() {}

    /** Writes the whole duration, down to the nanosecond. */
    public static String of(Duration duration) {
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

    /** Whether a configured duration is a number without a unit. Zero needs no unit. */
    public static boolean hasNoUnit(String text) {
        String number = text.strip();
        return NUMBER.matcher(number).matches() && !ZERO.matcher(number).matches();
    }

    private static void add(StringJoiner parts, long amount, String unit) {
        if (amount != 0) {
            parts.add(amount + " " + unit);
        }
    }
}
