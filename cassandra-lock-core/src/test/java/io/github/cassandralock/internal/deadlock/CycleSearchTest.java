package io.github.cassandralock.internal.deadlock;

import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.PublishedWaits;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitingCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which deadlocks one picture shows if calls wait for permits (lock modes, section 8). Costs nothing. */
class CycleSearchTest {

    private static final UUID AHEAD = new UUID(5, 5);

    private final List<PublishedWait> waits = new ArrayList<>();
    private final List<Slot> slots = new ArrayList<>();

    private static PublishedHold permit(int permits, String lock, long number) {
        return new PublishedHold(number, lock, EXCLUSIVE, permits);
    }

    private static PublishedHold held(String lock) {
        return permit(1, lock, 1);
    }

    /** An owner in a process of its own that waits. */
    private PublishedWait waits(int permits, String lock, PublishedHold... held) {
        UUID session = new UUID(1, waits.size() + 1);
        return waits(session, permits, lock, held);
    }

    private PublishedWait waits(UUID session, int permits, String lock, PublishedHold... held) {
        PublishedWait wait = new PublishedWait(
                new WaitId(session, waits.size()),
                1,
                new WaitingCall(
                        "owner " + waits.size(),
                        "process",
                        lock,
                        EXCLUSIVE,
                        EXCLUSIVE,
                        permits,
                        0,
                        1,
                        9,
                        WaitingCall.NONE,
                        NULL,
                        Arrays.asList(held)));
        waits.add(wait);
        return wait;
    }

    /** The deadlocks that the calls find, each for itself. */
    private List<DeadlockCycle> found() {
        Picture picture = new Picture(new PublishedWaits(new UUID(9, 9), 1, Duration.ofSeconds(1), waits));
        waits.stream()
                .flatMap(wait -> Stream.concat(
                        Stream.of(wait.call().lockId()),
                        wait.call().held().stream().map(PublishedHold::lockId)))
                .forEach(lock -> picture.add(lock, new LockSlots(slots, OptionalLong.empty())));
        List<DeadlockCycle> found = waits.stream()
                .map(wait -> new CycleSearch(picture).from(wait))
                .flatMap(Optional::stream)
                .toList();
        assertThat(found).allMatch(cycle -> cycle.isIn(picture));
        return found;
    }

    @Test
    void requestForAPermitIsInADeadlockIfAllHoldersOfPermitsAre() {
        waits(1, "b", permit(2, "a", 1));
        waits(1, "b", permit(2, "a", 1));
        PublishedWait third = waits(2, "a", held("b"));
        assertThat(found()).singleElement().satisfies(cycle -> {
            assertThat(cycle.all()).containsExactlyInAnyOrderElementsOf(waits);
            assertThat(cycle.waits()).hasSize(2).contains(third);
        });
    }

    @Test
    void requestForAPermitIsInNoDeadlockIfOneHolderDoesNotWait() {
        waits(1, "b", permit(2, "a", 1));
        waits(2, "a", held("b"));
        assertThat(found()).isEmpty();
    }

    @Test
    void allWhoWaitForPermitsOfEachOtherAreInADeadlock() {
        waits(2, "b", permit(2, "a", 1));
        waits(2, "b", permit(2, "a", 1));
        waits(2, "a", permit(2, "b", 1));
        waits(2, "a", permit(2, "b", 1));
        assertThat(found())
                .singleElement()
                .satisfies(cycle -> assertThat(cycle.all()).containsExactlyInAnyOrderElementsOf(waits));
    }

    @Test
    void ownerWithTwoPermitsCountsTwiceAndAHandleOfTwoCallsOnce() {
        waits(1, "b", permit(2, "a", 1), permit(2, "a", 2));
        waits(2, "a", held("b"));
        assertThat(found()).as("all permits are those of one owner").hasSize(1);
        waits.clear();
        UUID session = new UUID(3, 3);
        waits(session, 1, "b", permit(2, "a", 1));
        waits(session, 1, "c", permit(2, "a", 1));
        waits(2, "a", held("b"), held("c"));
        assertThat(found()).as("one permit may be free, or another owner's").isEmpty();
    }

    @Test
    void fewestPermitsCountIfRequestsDiffer() {
        waits(1, "b", permit(2, "a", 1));
        waits(1, "b", permit(3, "a", 1));
        waits(3, "a", held("b"));
        assertThat(found()).as("one holder has two permits").hasSize(1);
        waits.clear();
        waits(1, "b", held("a"));
        waits(3, "a", held("b"));
        assertThat(found()).as("the holder is alone").hasSize(1);
        waits.clear();
        waits(1, "b", permit(3, "a", 1));
        waits(1, "b", permit(3, "a", 1));
        waits(3, "a", held("b"));
        assertThat(found()).as("one of three is free").isEmpty();
    }

    @Test
    void requestWithFewerPermitsThatIsAheadIsPassedThrough() {
        waits(1, "b", permit(3, "a", 1));
        waits(1, "b", permit(3, "a", 1));
        waits(3, "a", held("b"));
        slots.add(new Slot(new SlotId(AHEAD, 0), 1, SlotPhase.TICKETED, EXCLUSIVE, 10, Slot.NO_BASE, 2));
        assertThat(found()).as("it is behind").isEmpty();
        slots.set(0, new Slot(new SlotId(AHEAD, 0), 1, SlotPhase.TICKETED, EXCLUSIVE, 8, Slot.NO_BASE, 2));
        assertThat(found()).as("it waits for both").hasSize(1);
        waits.remove(0);
        assertThat(found()).as("it may hold a permit").isEmpty();
    }

    /** It goes on when the others have been helped. */
    @Test
    void callThatWaitsForADeadlockOfOthersIsNotEnded() {
        for (int number = 0; number < 100; number++) {
            waits.clear();
            UUID session = new UUID(7, number);
            waits(session, 1, "d", permit(2, "a", 1));
            waits(session, 1, "y", permit(2, "a", 2), held("x"));
            waits(session, 1, "x", held("y"));
            PublishedWait behind = waits(session, 2, "a", held("d"));
            List<DeadlockCycle> found = found();
            assertThat(found.stream().filter(cycle -> cycle.beside().isEmpty())).hasSize(1);
            assertThat(found.stream().filter(cycle -> cycle.first().equals(behind)))
                    .isEmpty();
        }
    }

    @Test
    void messageTellsThatAllHoldersOfThePermitsWait() {
        DeadlockCycle cycle = new DeadlockCycle(
                List.of(waits(2, "a", held("b")), waits(1, "b", permit(2, "a", 1))),
                List.of(waits(1, "b", permit(2, "a", 1))));
        assertThat(cycle.text())
                .isEqualTo(
                        "owner 0 (process) waits for one of 2 permits of lock 'a', whose holders all wait, because of"
                                + " owner 1 (process), which waits for lock 'b' in mode EXCLUSIVE, because of the first");
    }

    @Test
    void deadlockIsFoundIfAndOnlyIfSomeCallsAreStuckAndNoneIsFoundTwice() {
        for (long seed = 0; seed < 3_000; seed++) {
            anyCalls(new SplittableRandom(seed));
            List<DeadlockCycle> found = found();
            assertThat(found.isEmpty()).as("seed %d", seed).isEqualTo(!isAnyStuck());
            assertThat(found)
                    .as("seed %d", seed)
                    .allSatisfy(cycle -> assertThat(areStuck(cycle.all())).isTrue());
            assertThat(found.stream().map(cycle -> Set.copyOf(cycle.all())))
                    .as("seed %d", seed)
                    .doesNotHaveDuplicates();
        }
    }

    /** Six calls for four locks, of which each has its number of permits. */
    private void anyCalls(SplittableRandom random) {
        waits.clear();
        for (int call = 0; call < 6; call++) {
            int wanted = random.nextInt(4);
            PublishedHold[] held = IntStream.range(0, random.nextInt(1, 3))
                    .mapToObj(number -> random.nextInt(4))
                    .filter(lock -> lock != wanted)
                    .map(lock -> permit(1 + lock % 3, "lock " + lock, lock))
                    .distinct()
                    .toArray(PublishedHold[]::new);
            waits(new UUID(random.nextLong(), call), 1 + wanted % 3, "lock " + wanted, held);
        }
    }

    private boolean isAnyStuck() {
        return IntStream.range(1, 1 << waits.size())
                .mapToObj(subset -> IntStream.range(0, waits.size())
                        .filter(place -> (subset >> place & 1) == 1)
                        .mapToObj(waits::get)
                        .toList())
                .anyMatch(CycleSearchTest::areStuck);
    }

    private static boolean areStuck(List<PublishedWait> some) {
        return some.stream().allMatch(wait -> {
            Set<PublishedWait> holders = new HashSet<>(some);
            holders.remove(wait);
            return holders.stream()
                            .filter(other -> other.call().held().stream()
                                    .anyMatch(held ->
                                            held.lockId().equals(wait.call().lockId())))
                            .count()
                    >= wait.call().permits();
        });
    }
}
