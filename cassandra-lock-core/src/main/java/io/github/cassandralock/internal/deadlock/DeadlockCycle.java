package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Waits that one reading shows. Each waits for the owner of the next wait, and the last for the owner of the first. Immutable.
 *
 * @param waits first the wait that searched
 */
record DeadlockCycle(List<PublishedWait> waits) {

    DeadlockCycle {
        waits = List.copyOf(waits);
    }

    PublishedWait first() {
        return waits.get(0);
    }

    /** The wait after the one at this place. */
    PublishedWait after(int place) {
        return waits.get((place + 1) % waits.size());
    }

    /** The sessions of its calls, including this process's session. */
    Set<UUID> members() {
        return waits.stream().map(wait -> wait.id().session()).collect(Collectors.toSet());
    }

    /** The sessions, other than its members, of the requests behind which its calls wait. */
    Set<UUID> passedThrough(Picture picture) {
        Set<UUID> sessions = new HashSet<>();
        places().forEach(place -> sessions.addAll(WaitsFor.passedThrough(waits.get(place), after(place), picture)));
        sessions.removeAll(members());
        return sessions;
    }

    private IntStream places() {
        return IntStream.range(0, waits.size());
    }

    /**
     * Whether rule 8 ends the cycle (lock modes, section 4). All its waits then concern one lock, and one is a request that gives
     * way. Rule 8 does not end it if one of the owners holds the lock by another handle.
     */
    boolean isLeftToRule8() {
        return waits.stream().allMatch(wait -> isOfOneHandle(wait.call()))
                && places().anyMatch(place -> !WaitsFor.isShownByTheTwoRows(waits.get(place), after(place)));
    }

    private boolean isOfOneHandle(WaitingCall call) {
        String lockId = first().call().lockId();
        return call.lockId().equals(lockId)
                && call.held().stream()
                        .allMatch(held -> !held.lockId().equals(lockId) || held.number() == call.converts());
    }

    /** This cycle in a later picture. Empty if the picture lacks a part of it, or one of its calls waits in another way. */
    Optional<DeadlockCycle> unchangedIn(Picture later) {
        List<PublishedWait> now = new ArrayList<>();
        for (PublishedWait wait : waits) {
            later.wait(wait.id()).filter(same -> same.isUnchangedSince(wait)).ifPresent(now::add);
        }
        return now.size() == waits.size() ? Optional.of(new DeadlockCycle(now)) : Optional.empty();
    }

    /** Whether the picture shows that each wait waits for the next one. */
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
                waits.stream().map(wait -> publicWait(wait.call())).toList());
    }

    private static LockDeadlockException.Wait publicWait(WaitingCall call) {
        return new LockDeadlockException.Wait(call.owner(), call.process(), call.lockId(), call.mode());
    }

    /** A description for messages. */
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
