package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.LockRequest;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What the permits of a lock are used for at one instant. */
enum PermitUse {
    ALL_IN_USE,
    ONE_UNUSED,
    NOBODY_WAITS;

    /** A hand-over takes less. */
    private static final Duration A_WHILE = Duration.ofMillis(400);

    /**
     * Whether fewer hold the lock than each that asks for it or holds it has permits, although somebody waits for long.
     *
     * @param waiting those that ask for the lock; the ones of dead processes do not count
     * @param held the permits of each holder
     */
    static PermitUse of(List<SafetyChecker.Arrival> waiting, Stream<Integer> held, long now) {
        List<SafetyChecker.Arrival> asking = waiting.stream()
                .filter(arrival -> !arrival.member().process().isDead())
                .toList();
        int least = asking.stream().map(SafetyChecker.Arrival::permits).reduce(LockRequest.MAX_PERMITS, Math::min);
        if (areTooMany(least, held)) {
            return ALL_IN_USE;
        }
        return asking.stream().anyMatch(arrival -> now - arrival.instant() > A_WHILE.toNanos())
                ? ONE_UNUSED
                : NOBODY_WAITS;
    }

    /** Whether there are more besides one than the least permits of all are for. */
    static boolean areTooMany(int permits, Stream<Integer> others) {
        List<Integer> all = others.toList();
        return all.size() >= all.stream().reduce(permits, Math::min);
    }
}
