package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Waits of which each waits for the owner of the next one, and the last one for that of the first, as one reading shows them. Immutable.
 *
 * @param waits the one that searched comes first
 */
record Circle(List<PublishedWait> waits) {

    Circle {
        waits = List.copyOf(waits);
    }

    PublishedWait first() {
        return waits.get(0);
    }

    /** Who comes after this one. */
    PublishedWait after(int place) {
        return waits.get((place + 1) % waits.size());
    }

    private IntStream places() {
        return IntStream.range(0, waits.size());
    }

    /**
     * Whether the requests of one lock that are not conversions dissolve it: they give way (lock modes, section 4, rule 8). They do not
     * if one of the owners holds the lock by another handle.
     */
    boolean dissolves() {
        return waits.stream().allMatch(wait -> isOfOneHandle(wait.call()))
                && places().anyMatch(place -> !WaitsFor.directly(waits.get(place), after(place)));
    }

    private boolean isOfOneHandle(WaitingCall call) {
        String lockId = first().call().lockId();
        return call.lockId().equals(lockId)
                && call.held().stream()
                        .allMatch(held -> !held.lockId().equals(lockId) || held.number() == call.converts());
    }

    /** This circle in a later picture; empty if the picture lacks a part of it, or if one of its calls waits in another way. */
    Optional<Circle> unchangedIn(Picture later) {
        List<PublishedWait> now = new ArrayList<>();
        for (PublishedWait wait : waits) {
            later.wait(wait.id()).filter(same -> same.isUnchangedSince(wait)).ifPresent(now::add);
        }
        return now.size() == waits.size() ? Optional.of(new Circle(now)) : Optional.empty();
    }

    /** Whether each still waits for the next one. */
    boolean isIn(Picture picture) {
        return places().allMatch(place -> WaitsFor.is(waits.get(place), after(place), picture));
    }

    LockDeadlockException exception() {
        WaitingCall victim = first().call();
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
                waits.stream().map(wait -> told(wait.call())).toList());
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
