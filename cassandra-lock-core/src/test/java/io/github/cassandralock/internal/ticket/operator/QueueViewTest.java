package io.github.cassandralock.internal.ticket.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.inspect.InspectedSlot;
import io.github.cassandralock.internal.inspect.InspectedSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who holds a lock and who waits behind whom, as rows tell it: a wrong holder would be broken. Costs nothing. */
class QueueViewTest {

    private static InspectedSlots read(Slot... slots) {
        return new InspectedSlots(
                Stream.of(slots)
                        .map(slot -> new InspectedSlot(slot, Optional.empty()))
                        .toList(),
                OptionalLong.empty());
    }

    private static Slot slot(int session, long attempt, SlotPhase phase, long ticket) {
        return new Slot(new SlotId(new UUID(0, session), 0), attempt, phase, LockMode.EXCLUSIVE, ticket);
    }

    private static Slot slot(int session, int number, SlotPhase phase, LockMode mode, long ticket) {
        return new Slot(new SlotId(new UUID(0, session), number), 1, phase, mode, ticket);
    }

    private static List<String> told(InspectedSlots earlier, InspectedSlots now) {
        return QueueView.of(earlier, now).stream()
                .map(standing ->
                        standing.place() + " " + standing.row().slot().session().getLeastSignificantBits())
                .toList();
    }

    @Test
    void nobodyHoldsALockWithoutRowsOrWithIdleRows() {
        assertThat(told(read(), read())).isEmpty();
        InspectedSlots idle = read(slot(1, 1, SlotPhase.IDLE, 0));
        assertThat(told(idle, idle)).isEmpty();
    }

    @Test
    void onlyRowThatHasYetToChooseHasTheLock() {
        InspectedSlots one = read(slot(1, 1, SlotPhase.CHOOSING, 0));
        assertThat(QueueView.needsSecondRead(one)).isFalse();
        assertThat(told(one, one)).containsExactly("HOLDER 1");
    }

    @Test
    void lowestTicketHasTheLockAndOthersFollowInOrder() {
        InspectedSlots three = read(
                slot(1, 1, SlotPhase.TICKETED, 9),
                slot(2, 1, SlotPhase.TICKETED, 7),
                slot(3, 1, SlotPhase.RETICKETED, 1008),
                slot(4, 1, SlotPhase.TICKETED, 7));
        assertThat(QueueView.needsSecondRead(three)).isFalse();
        assertThat(told(three, three)).containsExactly("HOLDER 2", "WAITING 4", "WAITING 1", "WAITING 3");
    }

    @Test
    void rowThatTwoReadsShowChoosingGoesBeforeAllTickets() {
        InspectedSlots reads = read(slot(1, 1, SlotPhase.TICKETED, 1), slot(2, 5, SlotPhase.CHOOSING, 0));
        assertThat(QueueView.needsSecondRead(reads)).isTrue();
        assertThat(told(reads, reads)).containsExactly("HOLDER 2", "WAITING 1");
    }

    @Test
    void rowThatBeganToChooseBetweenTheReadsIsArriving() {
        Slot holder = slot(1, 1, SlotPhase.TICKETED, 1);
        assertThat(told(
                        read(holder, slot(2, 5, SlotPhase.CHOOSING, 0)),
                        read(slot(2, 6, SlotPhase.CHOOSING, 0), holder)))
                .containsExactly("HOLDER 1", "ARRIVING 2");
    }

    @Test
    void readersHoldTheLockTogetherUpToTheFirstWriter() {
        InspectedSlots five = read(
                slot(1, 0, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 1),
                slot(2, 0, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 2),
                slot(3, 0, SlotPhase.TICKETED, LockMode.EXCLUSIVE, 3),
                slot(4, 0, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 4),
                slot(5, 0, SlotPhase.TICKETED, LockMode.NULL, 5));
        assertThat(told(five, five)).containsExactly("HOLDER 1", "HOLDER 2", "WAITING 3", "WAITING 4", "HOLDER 5");
    }

    @Test
    void slotThatConflictsWithAWaiterAheadWaitsAlthoughItConflictsWithNoHolder() {
        InspectedSlots three = read(
                slot(1, 0, SlotPhase.TICKETED, LockMode.CONCURRENT_WRITE, 1),
                slot(2, 0, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 2),
                slot(3, 0, SlotPhase.TICKETED, LockMode.CONCURRENT_WRITE, 3));
        assertThat(told(three, three)).containsExactly("HOLDER 1", "WAITING 2", "WAITING 3");
    }

    @Test
    void slotsOfOneSessionStandForThemselves() {
        InspectedSlots two = read(
                slot(1, 0, SlotPhase.TICKETED, LockMode.EXCLUSIVE, 8),
                slot(1, 1, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 7));
        assertThat(told(two, two)).containsExactly("HOLDER 1", "WAITING 1");
    }

    @Test
    void equalTicketsOfOneSessionAreInTheOrderOfTheNumbers() {
        InspectedSlots two = read(
                slot(1, 1, SlotPhase.TICKETED, LockMode.EXCLUSIVE, 7),
                slot(1, 0, SlotPhase.TICKETED, LockMode.EXCLUSIVE, 7));
        assertThat(QueueView.of(two, two))
                .extracting(standing -> standing.row().slot().id().number())
                .containsExactly(0, 1);
    }

    @Test
    void readersThatMetNobodyInTheWayHoldTheLockWithoutASecondRead() {
        InspectedSlots readers = read(
                slot(1, 0, SlotPhase.CHOOSING, LockMode.PROTECTED_READ, 0),
                slot(2, 0, SlotPhase.CHOOSING, LockMode.PROTECTED_READ, 0),
                slot(3, 0, SlotPhase.CHOOSING, LockMode.CONCURRENT_READ, 0));
        assertThat(QueueView.needsSecondRead(readers)).isFalse();
        assertThat(told(readers, readers)).containsExactly("HOLDER 1", "HOLDER 2", "HOLDER 3");
    }

    @Test
    void writerThatBeganToChooseBesideReadersIsArriving() {
        Slot reader = slot(1, 0, SlotPhase.CHOOSING, LockMode.PROTECTED_READ, 0);
        InspectedSlots now = read(reader, slot(2, 0, SlotPhase.CHOOSING, LockMode.EXCLUSIVE, 0));
        assertThat(QueueView.needsSecondRead(now)).isTrue();
        assertThat(told(read(reader), now)).containsExactly("HOLDER 1", "ARRIVING 2");
    }
}
