package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Waits of which each waits for the next one, and the last one for the first, as one reading shows them. Immutable.
 *
 * @param waits the one that searched comes first
 */
record Circle(List<WaitRow> waits) {

    Circle {
        waits = List.copyOf(waits);
    }

    /** Who comes after this one. */
    WaitRow after(int place) {
        return waits.get((place + 1) % waits.size());
    }

    /**
     * Whether the requests of one lock that are not conversions dissolve it: they give way (lock modes, section 4, rule 8). They do not
     * if one of the owners holds the lock by another handle.
     */
    boolean dissolves() {
        return waits.stream().allMatch(row -> isOfOneHandle(row.call()))
                && (waits.stream().anyMatch(row -> !row.call().isConversion()) || leadsThroughOthers());
    }

    private boolean isOfOneHandle(WaitingCall call) {
        String lockId = waits.get(0).call().lockId();
        return call.lockId().equals(lockId)
                && call.held().stream()
                        .allMatch(held -> !held.lockId().equals(lockId) || held.number() == call.converts());
    }

    private IntStream places() {
        return IntStream.range(0, waits.size());
    }

    private boolean leadsThroughOthers() {
        return places().anyMatch(place -> !WaitsFor.directly(waits.get(place), after(place)));
    }

    /** Whether all are there, and none has changed since. */
    boolean isUnchangedIn(Map<WaitId, WaitRow> later) {
        return waits.stream().allMatch(row -> {
            WaitRow now = later.get(row.id());
            return now != null && now.isUnchangedSince(row);
        });
    }

    /** The same circle, with the rows of a later reading. */
    Circle in(Map<WaitId, WaitRow> later) {
        return new Circle(
                waits.stream().map(row -> later.getOrDefault(row.id(), row)).toList());
    }

    /** How far every {@code seq} has risen since an earlier reading of the circle: so many times the one that rose least. */
    long risenSince(Circle earlier) {
        long least = Long.MAX_VALUE;
        for (int place = 0; place < waits.size(); place++) {
            least = Math.min(
                    least, waits.get(place).seq() - earlier.waits.get(place).seq());
        }
        return least;
    }

    LockDeadlockException exception() {
        WaitingCall victim = waits.get(0).call();
        String what = victim.isConversion()
                ? "was not converted to mode " + victim.mode() + ", and is still held in mode " + victim.convertsFrom()
                : "was not granted";
        return new LockDeadlockException(
                victim.lockId(),
                "Lock '" + victim.lockId() + "' " + what + ": the call waited in a deadlock, and was chosen to end it. "
                        + text() + ". Close the locks that " + victim.owner() + " holds"
                        + (victim.isConversion() ? ", this one included" : "")
                        + ", so that the others go on, undo the work under them, and begin again."
                        + " To avoid deadlocks, take"
                        + (victim.isConversion() ? " a lock in the strongest mode that you will need, and" : "")
                        + " locks in the same order everywhere, or all at once with getLocks",
                waits.stream().map(row -> told(row.call())).toList());
    }

    private static LockDeadlockException.Wait told(WaitingCall call) {
        return new LockDeadlockException.Wait(call.owner(), call.process(), call.lockId(), call.mode());
    }

    /** For people. */
    String text() {
        return places().mapToObj(this::text).collect(Collectors.joining(" because of "))
                + (waits.size() == 1 ? ", behind itself" : " because of the first");
    }

    private String text(int place) {
        WaitingCall call = waits.get(place).call();
        return call.owner() + " (" + call.process() + ")" + (place == 0 ? "" : ", which") + " waits for lock '"
                + call.lockId() + "' in mode " + call.mode() + (waits.size() == 1 ? "" : ",");
    }
}
