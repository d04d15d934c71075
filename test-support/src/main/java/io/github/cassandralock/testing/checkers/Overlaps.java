package io.github.cassandralock.testing.checkers;

import java.util.ArrayList;
import java.util.List;
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
        List<Overlap<T>> overlaps = new ArrayList<>();
        if (holds.isEmpty()) {
            return overlaps;
        }
        T last = holds.get(0);
        for (T hold : holds.subList(1, holds.size())) {
            if (enteredAt.applyAsLong(hold) <= heldUntil.applyAsLong(last)) {
                overlaps.add(new Overlap<>(last, hold));
            }
            if (heldUntil.applyAsLong(hold) > heldUntil.applyAsLong(last)) {
                last = hold;
            }
        }
        return overlaps;
    }
}
