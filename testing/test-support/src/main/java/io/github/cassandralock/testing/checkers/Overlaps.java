package io.github.cassandralock.testing.checkers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.ToLongFunction;

/** Finds holds of one lock that overlap in time. */
public final class Overlaps {

    /**
     * Two that held one lock at the same time.
     *
     * @param holder who held it
     * @param intruder who entered meanwhile
     */
    public record Overlap<T>(T holder, T intruder) {}

    private Overlaps() {}

    /**
     * Each hold that began before all earlier ones had ended.
     *
     * @param holds of one lock, in the order of entry
     * @param enteredAt the first time at which the lock was held
     * @param heldUntil the last time at which the lock was held
     */
    public static <T> List<Overlap<T>> among(List<T> holds, ToLongFunction<T> enteredAt, ToLongFunction<T> heldUntil) {
        return among(holds, enteredAt, heldUntil, (one, other) -> true);
    }

    /**
     * Each hold that began before an earlier one had ended that excludes it.
     *
     * @param holds of one lock, in the order of entry
     * @param enteredAt the first time at which the lock was held
     * @param heldUntil the last time at which the lock was held
     * @param conflict whether two holds exclude each other
     */
    public static <T> List<Overlap<T>> among(
            List<T> holds, ToLongFunction<T> enteredAt, ToLongFunction<T> heldUntil, BiPredicate<T, T> conflict) {
        List<Overlap<T>> overlaps = new ArrayList<>();
        List<T> present = new ArrayList<>();
        for (T hold : holds) {
            present.removeIf(earlier -> heldUntil.applyAsLong(earlier) < enteredAt.applyAsLong(hold));
            present.stream()
                    .filter(earlier -> conflict.test(earlier, hold))
                    .findFirst()
                    .ifPresent(earlier -> overlaps.add(new Overlap<>(earlier, hold)));
            present.add(hold);
        }
        return overlaps;
    }
}
