package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.assembly.LockSettings;

/**
 * The highest relative difference between the rates of two machines' clocks; written {@code 5%} or {@code 0.05}.
 *
 * @param fraction 0.05 for five percent
 */
public record ClockDrift(double fraction) {

    /**
     * Reads {@code 5%} or {@code 0.05}.
     *
     * @throws InvalidLockPropertyException if the text is neither
     */
    public static ClockDrift valueOf(String text) {
        String trimmed = text.trim();
        try {
            return trimmed.endsWith("%")
                    ? new ClockDrift(Double.parseDouble(trimmed.substring(0, trimmed.length() - 1)) / 100)
                    : new ClockDrift(Double.parseDouble(trimmed));
        } catch (NumberFormatException e) {
            throw InvalidLockPropertyException.of(LockSettings.wrongDrift(text, e));
        }
    }

    /** Converts a number in YAML. */
    public static ClockDrift of(Double fraction) {
        return new ClockDrift(fraction);
    }

    @Override
    public String toString() {
        return fraction * 100 + "%";
    }
}
