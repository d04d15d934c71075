package io.github.cassandralock.internal.deadlock;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
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
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who waits for whom, as rows and slots say (lock modes, section 7). */
class WaitsForTest {

    private static final String LOCK = "lock";
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);
    private static final UUID THIRD = new UUID(0, 3);
    private static final PublishedHold NOTHING_OF_INTEREST = new PublishedHold(1, "another lock", EXCLUSIVE);

    private static PublishedWait waits(UUID session, LockMode mode, long ticket, PublishedHold... held) {
        return wait(session, mode, ticket, WaitingCall.NONE, NULL, 1, held);
    }

    /** Behind others of its process. */
    private static PublishedWait inside(UUID session, LockMode waitsAs, PublishedHold... held) {
        return wait(session, waitsAs, 0, WaitingCall.NONE, NULL, WaitingCall.NONE, held);
    }

    private static PublishedWait converts(UUID session, LockMode from, LockMode mode, long ticket) {
        return wait(session, mode, ticket, 5, from, 1, new PublishedHold(5, LOCK, from));
    }

    private static PublishedWait wait(
            UUID session,
            LockMode mode,
            long ticket,
            long converts,
            LockMode from,
            long attempt,
            PublishedHold... held) {
        return new PublishedWait(
                new WaitId(session, ticket),
                1,
                new WaitingCall(
                        "owner",
                        "process",
                        LOCK,
                        mode,
                        mode,
                        1,
                        0,
                        attempt,
                        ticket,
                        converts,
                        from,
                        Arrays.asList(held)));
    }

    private static LockSlots slots(Slot... slots) {
        return new LockSlots(Arrays.asList(slots), OptionalLong.empty());
    }

    private static Slot slot(UUID session, LockMode mode, long ticket) {
        return new Slot(new SlotId(session, 0), 1, SlotPhase.TICKETED, mode, ticket);
    }

    private static List<PublishedWait> waitedFor(PublishedWait one, List<PublishedWait> others, Slot... slots) {
        return WaitsFor.of(one, picture(one, others, slots(slots)));
    }

    private static Picture picture(PublishedWait one, List<PublishedWait> others, LockSlots slots) {
        Picture picture = new Picture(new PublishedWaits(ONE, 1, Duration.ofSeconds(1), List.of(one)));
        others.forEach(
                wait -> picture.add(new PublishedWaits(wait.id().session(), 1, Duration.ofSeconds(1), List.of(wait))));
        picture.add(LOCK, slots);
        return picture;
    }

    @Test
    void whoeverHoldsTheLockInAModeThatConflictsIsWaitedForWhateverItsTicket() {
        PublishedWait reader = waits(OTHER, EXCLUSIVE, 9, new PublishedHold(3, LOCK, PROTECTED_READ));
        assertThat(WaitsFor.isShownByTheTwoRows(waits(ONE, CONCURRENT_WRITE, 1), reader))
                .isTrue();
        assertThat(WaitsFor.isShownByTheTwoRows(waits(ONE, CONCURRENT_READ, 1), reader))
                .isFalse();
        assertThat(WaitsFor.isShownByTheTwoRows(
                        waits(ONE, EXCLUSIVE, 1), waits(OTHER, EXCLUSIVE, 9, NOTHING_OF_INTEREST)))
                .isFalse();
    }

    @Test
    void whoeverIsAheadAndHoldsNothingInTheWayIsNotWaitedForItself() {
        PublishedWait first = waits(OTHER, PROTECTED_WRITE, 3, NOTHING_OF_INTEREST);
        assertThat(waitedFor(waits(ONE, PROTECTED_READ, 4), List.of(first), slot(OTHER, PROTECTED_WRITE, 3)))
                .isEmpty();
    }

    @Test
    void conversionDoesNotWaitForWhatWaitsBehindItsHandle() {
        PublishedWait conversion = converts(ONE, PROTECTED_READ, EXCLUSIVE, 7);
        PublishedWait holder = waits(OTHER, EXCLUSIVE, 9, new PublishedHold(3, LOCK, CONCURRENT_READ));
        assertThat(waitedFor(conversion, List.of(), slot(THIRD, CONCURRENT_WRITE, 3)))
                .isEmpty();
        PublishedWait weak = converts(ONE, CONCURRENT_READ, PROTECTED_READ, 7);
        assertThat(waitedFor(weak, List.of(holder), slot(OTHER, CONCURRENT_READ, 1), slot(THIRD, EXCLUSIVE, 3)))
                .as("the one that is ahead conflicts with the handle, and waits for it")
                .isEmpty();
    }

    @Test
    void twoConversionsOfReadersWaitForEachOther() {
        PublishedWait one = converts(ONE, PROTECTED_READ, EXCLUSIVE, 7);
        PublishedWait other = converts(OTHER, PROTECTED_READ, EXCLUSIVE, 8);
        assertThat(WaitsFor.isShownByTheTwoRows(one, other)).isTrue();
        assertThat(WaitsFor.isShownByTheTwoRows(other, one)).isTrue();
    }

    @Test
    void conversionThatIsAheadIsWaitedFor() {
        PublishedWait behind = converts(ONE, CONCURRENT_READ, PROTECTED_READ, 9);
        PublishedWait ahead = converts(OTHER, CONCURRENT_READ, CONCURRENT_WRITE, 7);
        assertThat(waitedFor(behind, List.of(ahead))).containsExactly(ahead);
        assertThat(waitedFor(behind, List.of(converts(OTHER, CONCURRENT_READ, CONCURRENT_WRITE, 10))))
                .as("it is behind")
                .isEmpty();
        assertThat(waitedFor(waits(ONE, CONCURRENT_READ, 9), List.of(ahead), slot(THIRD, EXCLUSIVE, 8)))
                .as("a request between them waits for it")
                .containsExactly(ahead);
    }

    @Test
    void anotherCallOfTheOwnerOfAConversionIsNotInItsWay() {
        PublishedWait conversion = converts(ONE, PROTECTED_READ, EXCLUSIVE, 7);
        PublishedWait sameOwner = new PublishedWait(
                new WaitId(ONE, 8),
                1,
                new WaitingCall(
                        "owner",
                        "process",
                        "another lock",
                        EXCLUSIVE,
                        EXCLUSIVE,
                        1,
                        0,
                        2,
                        1,
                        WaitingCall.NONE,
                        NULL,
                        List.of(new PublishedHold(5, LOCK, PROTECTED_READ))));
        assertThat(WaitsFor.isShownByTheTwoRows(conversion, sameOwner)).isFalse();
    }

    @Test
    void callInsideItsProcessWaitsForThoseInTheWayOfAllThatItWaitsFor() {
        PublishedWait reader = waits(OTHER, EXCLUSIVE, 9, new PublishedHold(3, LOCK, PROTECTED_READ));
        assertThat(WaitsFor.isShownByTheTwoRows(inside(ONE, EXCLUSIVE, NOTHING_OF_INTEREST), reader))
                .isTrue();
        assertThat(WaitsFor.isShownByTheTwoRows(inside(ONE, PROTECTED_READ, NOTHING_OF_INTEREST), reader))
                .isFalse();
    }

    @Test
    void slotThatIsAheadIsPassedThrough() {
        PublishedWait reader = waits(ONE, PROTECTED_READ, 5);
        PublishedWait holder = waits(OTHER, EXCLUSIVE, 9, new PublishedHold(3, LOCK, PROTECTED_READ));
        Slot held = slot(OTHER, PROTECTED_READ, 2);
        assertThat(waitedFor(reader, List.of(holder), held, slot(THIRD, EXCLUSIVE, 3)))
                .containsExactly(holder);
        assertThat(waitedFor(reader, List.of(holder), held, slot(THIRD, EXCLUSIVE, 6)))
                .as("it is behind")
                .isEmpty();
        assertThat(waitedFor(reader, List.of(holder), held, slot(THIRD, CONCURRENT_READ, 3)))
                .as("it is in nobody's way")
                .isEmpty();
    }

    @Test
    void requestBehindOneThatIsAheadIsPassedThrough() {
        PublishedWait reader = waits(ONE, CONCURRENT_READ, 9);
        PublishedWait holder = waits(OTHER, EXCLUSIVE, 10, new PublishedHold(3, LOCK, CONCURRENT_WRITE));
        Slot held = slot(OTHER, CONCURRENT_WRITE, 2);
        UUID fourth = new UUID(0, 4);
        Slot[] slots = {held, slot(THIRD, PROTECTED_READ, 4), slot(fourth, EXCLUSIVE, 5)};
        assertThat(waitedFor(reader, List.of(holder), slots)).containsExactly(holder);
        assertThat(WaitsFor.passedThrough(reader, holder, picture(reader, List.of(holder), slots(slots))))
                .contains(fourth)
                .doesNotContain(ONE, OTHER);
    }

    @Test
    void workForOneCallGrowsWithTheSlotsAndNotWithTheirSquare() {
        assertThat(slotsRead(800)).isLessThanOrEqualTo(8 * slotsRead(100));
    }

    /** How many slots are read for a call behind so many requests and holders. No holder is in the way of the call alone. */
    private static long slotsRead(int number) {
        LongAdder read = new LongAdder();
        List<PublishedWait> holders = IntStream.range(0, number)
                .mapToObj(holder ->
                        waits(new UUID(3, holder), EXCLUSIVE, 9_999, new PublishedHold(3, LOCK, PROTECTED_READ)))
                .toList();
        List<Slot> slots = IntStream.range(0, number)
                .mapToObj(place -> slot(new UUID(4, place), EXCLUSIVE, place + 1))
                .toList();
        PublishedWait reader = waits(ONE, PROTECTED_READ, 5_000);
        Picture picture = picture(reader, holders, new LockSlots(counting(slots, read), OptionalLong.empty()));
        assertThat(WaitsFor.of(reader, picture)).isEmpty();
        return read.sum();
    }

    private static List<Slot> counting(List<Slot> slots, LongAdder read) {
        return new AbstractList<>() {
            @Override
            public Slot get(int index) {
                read.increment();
                return slots.get(index);
            }

            @Override
            public int size() {
                return slots.size();
            }
        };
    }

    @Test
    void onlySessionsThatMayHoldTheLockOrConvertMatter() {
        Slot waits = slot(THIRD, EXCLUSIVE, 4);
        assertThat(WaitsFor.sessions(slots(slot(ONE, PROTECTED_READ, 1), slot(OTHER, PROTECTED_READ, 3), waits)))
                .containsExactlyInAnyOrder(ONE, OTHER);
        Slot converts = new Slot(new SlotId(THIRD, 1), 2, SlotPhase.TICKETED, EXCLUSIVE, 5, 0);
        assertThat(WaitsFor.sessions(slots(slot(ONE, PROTECTED_READ, 1), converts)))
                .containsExactlyInAnyOrder(ONE, THIRD);
        Slot withoutTicket = new Slot(new SlotId(OTHER, 0), 1, SlotPhase.CHOOSING, EXCLUSIVE, 0);
        assertThat(WaitsFor.sessions(slots(slot(ONE, EXCLUSIVE, 1), withoutTicket, waits)))
                .as("whoever met nobody holds the lock without a ticket")
                .containsExactlyInAnyOrder(ONE, OTHER);
    }
}
