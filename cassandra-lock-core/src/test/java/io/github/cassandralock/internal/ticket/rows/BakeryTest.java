package io.github.cassandralock.internal.ticket.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The decisions that follow from a read of a lock's partition. */
class BakeryTest {

    private static final Slot OWN = slot(5, 3, SlotPhase.TICKETED, 7);

    private static Slot slot(long session, long attempt, SlotPhase phase, long ticket) {
        return new Slot(new SlotId(new UUID(0, session), 0), attempt, phase, LockMode.EXCLUSIVE, ticket);
    }

    private static LockSlots read(Slot... slots) {
        return new LockSlots(List.of(slots), OptionalLong.empty());
    }

    @Test
    void onlyTheSlotsOwnAttemptShowsIt() {
        assertThat(Bakery.shows(read(slot(5, 3, SlotPhase.CHOOSING, 0)), OWN)).isTrue();
        assertThat(Bakery.shows(read(slot(5, 2, SlotPhase.TICKETED, 7)), OWN))
                .as("another attempt of the session")
                .isFalse();
        assertThat(Bakery.shows(read(slot(6, 3, SlotPhase.TICKETED, 7)), OWN))
                .as("another session")
                .isFalse();
    }

    @Test
    void nextTicketIsHigherThanAllThatAreInUse() {
        Slot waiting = slot(1, 1, SlotPhase.TICKETED, 8);
        Slot idle = slot(2, 1, SlotPhase.IDLE, 20);
        assertThat(Bakery.nextTicket(read(waiting, idle))).isEqualTo(9);
        assertThat(Bakery.nextTicket(read(idle))).isEqualTo(1);
    }

    @Test
    void choosingSlotsAndLowerTicketsGoFirstAndThenLowerSessions() {
        Slot choosing = slot(9, 1, SlotPhase.CHOOSING, 0);
        Slot lower = slot(8, 1, SlotPhase.TICKETED, 6);
        Slot same = slot(4, 1, SlotPhase.RETICKETED, 7);
        Slot behind = slot(6, 1, SlotPhase.TICKETED, 7);
        assertThat(List.of(choosing, lower, same)).allMatch(slot -> Bakery.isAhead(slot, OWN));
        assertThat(Bakery.isAhead(behind, OWN)).isFalse();
        assertThat(Bakery.isBehind(OWN, new SlotId(new UUID(0, 4), 0), 7)).isTrue();
        assertThat(Bakery.isBehind(OWN, new SlotId(new UUID(0, 6), 0), 7)).isFalse();
    }

    @Test
    void eightSessionsAreWatchedHoweverManySlotsTheyHaveAndNotTheOwnOne() {
        List<Slot> blockers = IntStream.range(0, 100)
                .mapToObj(number -> new Slot(
                        new SlotId(new UUID(0, number / 5), number % 5),
                        1,
                        SlotPhase.CHOOSING,
                        LockMode.PROTECTED_READ,
                        0))
                .toList();
        assertThat(Bakery.toWatch(blockers, new UUID(0, 2)::equals))
                .extracting(UUID::getLeastSignificantBits)
                .containsExactlyInAnyOrder(0L, 1L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    private static Slot permit(long session, int permits, long ticket) {
        return new Slot(
                new SlotId(new UUID(0, session), 0),
                1,
                ticket == 0 ? SlotPhase.CHOOSING : SlotPhase.TICKETED,
                LockMode.EXCLUSIVE,
                ticket,
                Slot.NO_BASE,
                permits);
    }

    @Test
    void slotHoldsTheLockIfFewerAreAheadThanTheLeastNumberOfPermits() {
        assertThat(Bakery.hasRoomBeside(List.of(permit(1, 3, 0), permit(2, 3, 1)), 3))
                .isTrue();
        assertThat(Bakery.hasRoomBeside(List.of(permit(1, 3, 0), permit(2, 3, 1), permit(3, 3, 2)), 3))
                .isFalse();
        assertThat(Bakery.hasRoomBeside(List.of(permit(1, 3, 0), permit(2, 2, 1)), 3))
                .as("beside one of two permits")
                .isFalse();
        assertThat(Bakery.hasRoomBeside(List.of(permit(1, 1, 0)), 3))
                .as("beside one without permits")
                .isFalse();
        assertThat(Bakery.hasRoomBeside(List.of(permit(1, 3, 0)), 1)).isFalse();
    }

    @Test
    void lastOnesAreAsManyAsTheHighestNumberOfPermits() {
        List<Slot> inOrder = List.of(permit(1, 2, 1), permit(2, 3, 2), permit(3, 2, 3), permit(4, 2, 4));
        assertThat(Bakery.last(inOrder, 2)).containsExactly(inOrder.get(1), inOrder.get(2), inOrder.get(3));
        assertThat(Bakery.last(inOrder.subList(2, 4), 4)).hasSize(2);
    }

    @Test
    void turnsOfPermitsAreReleases() {
        List<Slot> slots = List.of(permit(1, 2, 1), permit(2, 2, 2), permit(3, 2, 3));
        assertThat(Bakery.turns(slots, 2)).isEqualTo(2);
        assertThat(Bakery.turns(slots, 5)).as("another may have fewer").isEqualTo(1);
    }

    @Test
    void asManySessionsAreWatchedAsMayHoldPermits() {
        List<Slot> blockers = IntStream.range(0, 40)
                .mapToObj(number -> permit(number, 12, number + 1))
                .toList();
        assertThat(Bakery.toWatch(blockers, own -> false)).hasSize(12);
    }

    @Test
    void orderIsUndecidedWhileABlockerIsChoosing() {
        Slot choosing = slot(1, 1, SlotPhase.CHOOSING, 0);
        Slot ticketed = slot(2, 1, SlotPhase.TICKETED, 1);
        assertThat(Bakery.isUndecided(List.of(ticketed, choosing))).isTrue();
        assertThat(Bakery.isUndecided(List.of(ticketed))).isFalse();
    }

    @Test
    void slotsThatHoldTheLockTogetherAreOneTurn() {
        assertThat(Bakery.turns(List.of(), 1)).isZero();
        assertThat(Bakery.turns(List.of(ticketed(1, LockMode.EXCLUSIVE), ticketed(2, LockMode.EXCLUSIVE)), 1))
                .isEqualTo(2);
        assertThat(Bakery.turns(
                        List.of(
                                ticketed(4, LockMode.PROTECTED_READ),
                                ticketed(1, LockMode.PROTECTED_READ),
                                ticketed(2, LockMode.PROTECTED_READ),
                                ticketed(3, LockMode.EXCLUSIVE)),
                        1))
                .isEqualTo(3);
    }

    private static Slot ticketed(long ticket, LockMode mode) {
        return new Slot(new SlotId(new UUID(0, ticket), 0), 1, SlotPhase.TICKETED, mode, ticket);
    }
}
