package io.github.cassandralock.internal.deadlock;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.HeldLock;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.store.WaitingCall;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who waits for whom, as rows and slots say (lock modes, section 7). */
class WaitsForTest {

    private static final String LOCK = "lock";
    private static final UUID ONE = new UUID(0, 1);
    private static final UUID OTHER = new UUID(0, 2);
    private static final UUID THIRD = new UUID(0, 3);
    private static final HeldLock NOTHING_OF_INTEREST = new HeldLock(1, "another lock", EXCLUSIVE);

    private static WaitRow waits(UUID session, LockMode mode, long ticket, HeldLock... held) {
        return row(session, mode, ticket, WaitingCall.NONE, NULL, 1, List.of(), held);
    }

    private static WaitRow converts(UUID session, LockMode from, LockMode mode, long ticket) {
        return row(session, mode, ticket, 5, from, 1, List.of(), new HeldLock(5, LOCK, from));
    }

    private static WaitRow row(
            UUID session,
            LockMode mode,
            long ticket,
            long converts,
            LockMode from,
            long attempt,
            List<Long> comesAfter,
            HeldLock... held) {
        return new WaitRow(
                new WaitId(session, ticket),
                1,
                1,
                Duration.ofSeconds(1),
                new WaitingCall(
                        "owner",
                        "process",
                        LOCK,
                        mode,
                        mode,
                        0,
                        attempt,
                        ticket,
                        ticket,
                        comesAfter,
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

    @Test
    void whoeverHoldsTheLockInAModeThatConflictsIsWaitedForWhateverItsTicket() {
        WaitRow reader = waits(OTHER, EXCLUSIVE, 9, new HeldLock(3, LOCK, PROTECTED_READ));
        assertThat(WaitsFor.directly(waits(ONE, CONCURRENT_WRITE, 1), reader)).isTrue();
        assertThat(WaitsFor.directly(waits(ONE, CONCURRENT_READ, 1), reader)).isFalse();
        assertThat(WaitsFor.directly(waits(ONE, EXCLUSIVE, 1), waits(OTHER, EXCLUSIVE, 9, NOTHING_OF_INTEREST)))
                .isFalse();
    }

    @Test
    void whoeverHasALowerTicketAndAModeThatConflictsIsWaitedFor() {
        WaitRow first = waits(ONE, PROTECTED_WRITE, 3);
        WaitRow second = waits(OTHER, PROTECTED_READ, 4);
        assertThat(WaitsFor.directly(second, first)).isTrue();
        assertThat(WaitsFor.directly(first, second)).isFalse();
        assertThat(WaitsFor.directly(waits(OTHER, CONCURRENT_READ, 4), first)).isFalse();
        assertThat(WaitsFor.directly(waits(OTHER, EXCLUSIVE, 3), first))
                .as("by session if tickets are equal")
                .isTrue();
        assertThat(WaitsFor.directly(second, waits(ONE, PROTECTED_WRITE, 0)))
                .as("of one that has no ticket, nothing is known")
                .isFalse();
    }

    @Test
    void conversionDoesNotWaitForWhatWaitsBehindItsHandle() {
        WaitRow conversion = converts(ONE, PROTECTED_READ, EXCLUSIVE, 7);
        assertThat(WaitsFor.directly(conversion, waits(OTHER, CONCURRENT_WRITE, 3)))
                .isFalse();
        assertThat(WaitsFor.directly(conversion, waits(OTHER, PROTECTED_READ, 3)))
                .as("it may hold the lock beside the handle")
                .isTrue();
        assertThat(WaitsFor.of(conversion, List.of(conversion), slots(slot(THIRD, CONCURRENT_WRITE, 3))))
                .isEmpty();
    }

    @Test
    void twoConversionsOfReadersWaitForEachOther() {
        WaitRow one = converts(ONE, PROTECTED_READ, EXCLUSIVE, 7);
        WaitRow other = converts(OTHER, PROTECTED_READ, EXCLUSIVE, 8);
        assertThat(WaitsFor.directly(one, other)).isTrue();
        assertThat(WaitsFor.directly(other, one)).isTrue();
    }

    @Test
    void anotherCallOfTheOwnerOfAConversionIsNotInItsWay() {
        WaitRow conversion = converts(ONE, PROTECTED_READ, EXCLUSIVE, 7);
        WaitRow sameOwner = new WaitRow(
                new WaitId(ONE, 8),
                1,
                1,
                Duration.ofSeconds(1),
                new WaitingCall(
                        "owner",
                        "process",
                        "another lock",
                        EXCLUSIVE,
                        EXCLUSIVE,
                        0,
                        2,
                        1,
                        0,
                        List.of(),
                        WaitingCall.NONE,
                        NULL,
                        List.of(new HeldLock(5, LOCK, PROTECTED_READ))));
        assertThat(WaitsFor.directly(conversion, sameOwner)).isFalse();
    }

    @Test
    void callThatWaitsInsideItsProcessWaitsForThoseThatItNames() {
        WaitRow inside = row(ONE, CONCURRENT_READ, 4, WaitingCall.NONE, NULL, WaitingCall.NONE, List.of(2L));
        assertThat(WaitsFor.directly(inside, waits(ONE, CONCURRENT_READ, 2))).isTrue();
        assertThat(WaitsFor.directly(inside, waits(ONE, CONCURRENT_READ, 3))).isFalse();
        assertThat(WaitsFor.directly(inside, waits(OTHER, CONCURRENT_READ, 2))).isFalse();
    }

    @Test
    void slotThatIsAheadAndPublishesNothingIsPassedThrough() {
        WaitRow reader = waits(ONE, PROTECTED_READ, 5);
        WaitRow holder = waits(OTHER, EXCLUSIVE, 9, new HeldLock(3, LOCK, PROTECTED_READ));
        Slot held = slot(OTHER, PROTECTED_READ, 2);
        assertThat(WaitsFor.of(reader, List.of(reader, holder), slots(held, slot(THIRD, EXCLUSIVE, 3))))
                .containsExactly(holder);
        assertThat(WaitsFor.of(reader, List.of(reader, holder), slots(held, slot(THIRD, EXCLUSIVE, 6))))
                .as("it is behind")
                .isEmpty();
        assertThat(WaitsFor.of(reader, List.of(reader, holder), slots(held, slot(THIRD, CONCURRENT_READ, 3))))
                .as("it is in nobody's way")
                .isEmpty();
    }
}
