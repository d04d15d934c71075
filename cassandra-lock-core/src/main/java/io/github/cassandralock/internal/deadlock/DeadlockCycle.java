package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitingCall;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Waits that one reading shows. Each waits for the owner of the next wait, and the last for the owner of the first. Immutable.
 *
 * @param waits first the wait that searched
 * @param beside other waits whose owners hold the permits that waits of the cycle, or of these, need
 */
record DeadlockCycle(List<PublishedWait> waits, List<PublishedWait> beside) {

    DeadlockCycle {
        waits = List.copyOf(waits);
        beside = List.copyOf(beside);
    }

    /**
     * @param last the last wait of the cycle
     * @param reachedFrom the wait before each wait of the cycle, except for the first
     * @param needed the waits of the cycle, and those beside it
     */
    static DeadlockCycle of(
            PublishedWait last, Map<WaitId, @Nullable PublishedWait> reachedFrom, Collection<PublishedWait> needed) {
        Deque<PublishedWait> cycle = new ArrayDeque<>();
        for (PublishedWait wait = last; wait != null; wait = reachedFrom.get(wait.id())) {
            cycle.addFirst(wait);
        }
        Set<WaitId> ids = cycle.stream().map(PublishedWait::id).collect(Collectors.toSet());
        return new DeadlockCycle(
                List.copyOf(cycle),
                needed.stream().filter(wait -> !ids.contains(wait.id())).toList());
    }

    PublishedWait first() {
        return waits.get(0);
    }

    /** The wait after the one at this place. */
    PublishedWait after(int place) {
        return waits.get((place + 1) % waits.size());
    }

    /** The waits of the cycle, and those beside it. */
    List<PublishedWait> all() {
        return Stream.concat(waits.stream(), beside.stream()).toList();
    }

    /** The sessions of its calls, including this process's session. */
    Set<UUID> members() {
        return all().stream().map(wait -> wait.id().session()).collect(Collectors.toSet());
    }

    /** The sessions, other than its members, of the requests behind which its calls wait. */
    Set<UUID> passedThrough(Picture picture) {
        Set<UUID> sessions = new HashSet<>();
        places().filter(place -> !needsPermits(place))
                .forEach(place -> sessions.addAll(WaitsFor.passedThrough(waits.get(place), after(place), picture)));
        together().forEach(wait -> sessions.addAll(Obstacles.of(wait, picture).passedThrough(this::includes, picture)));
        sessions.removeAll(members());
        return sessions;
    }

    private boolean needsPermits(int place) {
        return waits.get(place).call().permits() > 1;
    }

    /** The waits that wait for all the others together. */
    private Stream<PublishedWait> together() {
        return Stream.concat(places().filter(this::needsPermits).mapToObj(waits::get), beside.stream());
    }

    private boolean includes(PublishedWait wait) {
        return all().stream().anyMatch(one -> one.id().equals(wait.id()));
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
        for (PublishedWait wait : all()) {
            later.wait(wait.id()).filter(same -> same.isUnchangedSince(wait)).ifPresent(now::add);
        }
        return now.size() == waits.size() + beside.size()
                ? Optional.of(new DeadlockCycle(now.subList(0, waits.size()), now.subList(waits.size(), now.size())))
                : Optional.empty();
    }

    /** Whether the picture shows that each wait waits for the next one. A request for a permit waits for several of them. */
    boolean isIn(Picture picture) {
        return places().allMatch(place -> needsPermits(place) || WaitsFor.is(waits.get(place), after(place), picture))
                && together().allMatch(wait -> Obstacles.of(wait, picture).suffice(this::includes));
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
                        + (victim.isConversion() ? ", this lock included" : "")
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
        return call.owner() + " (" + call.process() + ")" + (place == 0 ? "" : ", which") + " waits for " + what(call)
                + (waits.size() == 1 ? "" : ",");
    }

    private static String what(WaitingCall call) {
        return call.permits() == 1
                ? "lock '" + call.lockId() + "' in mode " + call.mode()
                : "one of " + call.permits() + " permits of lock '" + call.lockId() + "', whose holders all wait";
    }
}
