package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockMode;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How the callers of a world use the lock, apart from their {@link FaultModel.Workload}.
 *
 * @param modes from which each request takes one; a mode that occurs twice is requested twice as often
 * @param converting whether holders convert their handles
 * @param valuing the share of holders that use the value of the lock
 * @param periods whether each holder completes a period at the end of its work
 * @param longestMinimum the longest minimum time of a request; zero: no request has one
 * @param permits from which each request in mode EXCLUSIVE takes its number
 */
record CallerHabits(
        List<LockMode> modes,
        boolean converting,
        double valuing,
        boolean periods,
        Duration longestMinimum,
        List<Integer> permits) {

    /** Requests in mode EXCLUSIVE alone, without conversions, values, periods and minimum times. */
    static final CallerHabits PLAIN =
            new CallerHabits(List.of(LockMode.EXCLUSIVE), false, 0, false, Duration.ZERO, List.of(1));

    CallerHabits in(List<LockMode> otherModes) {
        return new CallerHabits(otherModes, converting, valuing, periods, longestMinimum, permits);
    }

    CallerHabits converting(boolean isConverting) {
        return new CallerHabits(modes, isConverting, valuing, periods, longestMinimum, permits);
    }

    CallerHabits valuing(double share) {
        return new CallerHabits(modes, converting, share, periods, longestMinimum, permits);
    }

    CallerHabits completingPeriods() {
        return new CallerHabits(modes, converting, valuing, true, longestMinimum, permits);
    }

    CallerHabits holdingAtLeast(Duration longest) {
        return new CallerHabits(modes, converting, valuing, periods, longest, permits);
    }

    CallerHabits permits(List<Integer> numbers) {
        return new CallerHabits(modes, converting, valuing, periods, longestMinimum, numbers);
    }

    boolean hasPermits() {
        return permits.stream().anyMatch(number -> number > 1);
    }

    boolean hasOneMode() {
        return modes.size() == 1;
    }

    /** One number of permits for all, or different ones, as while a new version is rolled out. */
    static List<Integer> mixtureOfPermits(SplittableRandom random) {
        int permits = random.nextInt(2, 5);
        return switch (random.nextInt(4)) {
            case 0 -> List.of(permits, permits, 1);
            case 1 -> List.of(permits, permits + 1);
            default -> List.of(permits);
        };
    }

    /** Readers and writers, or all modes, or modes that conflict in part. */
    static List<LockMode> mixture(SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> List.of(LockMode.PROTECTED_READ, LockMode.PROTECTED_READ, LockMode.EXCLUSIVE);
            case 1 -> List.of(LockMode.PROTECTED_READ, LockMode.CONCURRENT_WRITE);
            case 2 ->
                List.of(
                        LockMode.CONCURRENT_READ,
                        LockMode.PROTECTED_READ,
                        LockMode.PROTECTED_WRITE,
                        LockMode.CONCURRENT_WRITE,
                        LockMode.EXCLUSIVE);
            default -> List.of(LockMode.values());
        };
    }
}
