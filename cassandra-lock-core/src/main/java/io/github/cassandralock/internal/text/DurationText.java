package io.github.cassandralock.internal.text;

import java.time.Duration;

/** Durations in the form that people use: {@code 41 µs}, {@code 2.5 s}, {@code 1 h 5 min}. */
public final class DurationText {

    private static final double NANOS_OF_MICRO = 1e3;
    private static final double NANOS_OF_MILLI = 1e6;
    private static final double NANOS_OF_SECOND = 1e9;
    private static final int ONE_DECIMAL_BELOW = 10;

    private DurationText() {}

    /** Writes a duration, rounded down. */
    public static String of(Duration duration) {
        if (duration.isNegative()) {
            return "-" + of(duration.negated());
        }
        if (duration.toMinutes() == 0) {
            return belowAMinute(duration.toNanos());
        }
        if (duration.toHours() == 0) {
            return two(duration.toMinutes(), "min", duration.toSecondsPart(), "s");
        }
        if (duration.toDays() == 0) {
            return two(duration.toHours(), "h", duration.toMinutesPart(), "min");
        }
        return two(duration.toDays(), "d", duration.toHoursPart(), "h");
    }

    private static String belowAMinute(long nanos) {
        if (nanos < NANOS_OF_MICRO) {
            return nanos == 0 ? "0 s" : nanos + " ns";
        }
        if (nanos < NANOS_OF_MILLI) {
            return one(nanos / NANOS_OF_MICRO, "µs");
        }
        return nanos < NANOS_OF_SECOND ? one(nanos / NANOS_OF_MILLI, "ms") : one(nanos / NANOS_OF_SECOND, "s");
    }

    /** Rounds down, so that 59.99 s do not become 60 s. */
    private static String one(double amount, String unit) {
        double tenths = Math.floor(amount * 10) / 10;
        boolean whole = amount >= ONE_DECIMAL_BELOW || tenths == Math.rint(tenths);
        return (whole ? String.valueOf((long) amount) : String.valueOf(tenths)) + " " + unit;
    }

    private static String two(long amount, String unit, int rest, String restUnit) {
        return amount + " " + unit + (rest == 0 ? "" : " " + rest + " " + restUnit);
    }
}
