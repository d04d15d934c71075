package io.github.cassandralock.internal.ticket.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

class ConversionCyclesTest {

    /** Rows of a few sessions, with conversions, conversions of conversions, and bases that are missing. */
    private static LockSlots anyRows(SplittableRandom random) {
        List<Slot> rows = new ArrayList<>();
        int sessions = random.nextInt(1, 5);
        int most = random.nextInt(1, 5);
        double conversions = random.nextDouble();
        for (int session = 0; session < sessions; session++) {
            for (int number = 0; number < random.nextInt(1, most + 1); number++) {
                rows.add(new Slot(
                        new SlotId(new UUID(0, session), number),
                        random.nextInt(3),
                        random.nextInt(3) == 0 ? any(random, SlotPhase.values()) : SlotPhase.TICKETED,
                        any(random, LockMode.values()),
                        random.nextInt(8),
                        random.nextDouble() < conversions ? random.nextInt(most) : Slot.NO_BASE));
            }
        }
        return new LockSlots(rows, OptionalLong.empty());
    }

    private static <T> T any(SplittableRandom random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    @Test
    void searchFindsWhatTheComparisonOfAllPairsFinds() {
        SplittableRandom random = new SplittableRandom(1);
        int found = 0;
        for (int round = 0; round < 100_000; round++) {
            LockSlots read = anyRows(random);
            for (Slot own : read.slots()) {
                boolean expected = AllPairs.hasToGiveWay(read, own);
                found += expected ? 1 : 0;
                assertThat(ConversionCycles.hasToGiveWay(read, own))
                        .as("%s in %s", own, read)
                        .isEqualTo(expected);
            }
        }
        assertThat(found).as("requests that have to give way").isGreaterThan(1_000);
    }

    @Test
    void requestThatTheReadDoesNotShowNeverGivesWay() {
        SplittableRandom random = new SplittableRandom(2);
        for (int round = 0; round < 10_000; round++) {
            LockSlots read = anyRows(random);
            Slot own = read.slots().get(0).with(SlotPhase.TICKETED, 9);
            assertThat(ConversionCycles.hasToGiveWay(read, own)).isFalse();
        }
    }

    /**
     * Two processes hold the lock in PROTECTED_READ, and one of them converts its handle to EXCLUSIVE. Requests wait between them.
     *
     * @param requests in the modes of this list, in turn
     */
    private static List<Slot> crowd(int requests, List<LockMode> modes) {
        List<Slot> rows = new ArrayList<>();
        rows.add(slot(0, 0, LockMode.PROTECTED_READ, 1, Slot.NO_BASE));
        rows.add(slot(1, 0, LockMode.PROTECTED_READ, 2, Slot.NO_BASE));
        for (int request = 0; request < requests; request++) {
            rows.add(slot(request + 2, 0, modes.get(request % modes.size()), request + 3, Slot.NO_BASE));
        }
        rows.add(slot(0, 1, LockMode.EXCLUSIVE, requests + 3, 0));
        return rows;
    }

    private static Slot slot(int session, int number, LockMode mode, int ticket, int base) {
        return new Slot(new SlotId(new UUID(0, session), number), 1, SlotPhase.TICKETED, mode, ticket, base);
    }

    @Test
    void comparisonsGrowWithTheNumberOfRowsNotWithItsSquare() {
        for (List<LockMode> modes : List.of(
                List.of(LockMode.EXCLUSIVE),
                List.of(LockMode.CONCURRENT_WRITE),
                List.of(LockMode.PROTECTED_READ, LockMode.CONCURRENT_WRITE),
                List.of(LockMode.values()))) {
            List<Slot> rows = crowd(1_000, modes);
            LockSlots read = new LockSlots(rows, OptionalLong.empty());
            long most = rows.stream()
                    .mapToLong(own -> ConversionCycles.search(read, own).compared())
                    .max()
                    .orElseThrow();
            assertThat(most)
                    .as("comparisons of one search among a thousand requests in %s", modes)
                    .isPositive()
                    .isLessThan(25L * rows.size());
        }
    }

    /** The relation of rule 8, pair by pair, as the protocol states it: the search must find the same with fewer comparisons. */
    private static final class AllPairs {

        private final List<Slot> slots;
        private final HandleRows handleRows;

        private AllPairs(LockSlots read) {
            slots = read.slots().stream()
                    .filter(slot -> slot.phase() != SlotPhase.IDLE)
                    .toList();
            handleRows = new HandleRows(slots);
        }

        static boolean hasToGiveWay(LockSlots read, Slot own) {
            return !own.isConversion()
                    && read.slots().stream().anyMatch(AllPairs::isWaitingConversion)
                    && new AllPairs(read).isLastOnACycle(own);
        }

        private static boolean isWaitingConversion(Slot slot) {
            return slot.isConversion() && slot.phase() == SlotPhase.TICKETED;
        }

        private boolean isLastOnACycle(Slot own) {
            Set<Slot> cycle = reached(own, this::waitsFor);
            cycle.retainAll(reached(own, (one, other) -> waitsFor(other, one)));
            return cycle.contains(own)
                    && cycle.stream()
                            .filter(this::holdsNothing)
                            .noneMatch(slot -> Bakery.TICKET_ORDER.compare(slot, own) > 0);
        }

        private Set<Slot> reached(Slot from, BiPredicate<Slot, Slot> step) {
            Set<Slot> reached = new HashSet<>();
            Deque<Slot> next = new ArrayDeque<>(List.of(from));
            while (!next.isEmpty()) {
                Slot slot = next.remove();
                slots.stream()
                        .filter(other -> step.test(slot, other))
                        .filter(reached::add)
                        .forEach(next::add);
            }
            return reached;
        }

        private boolean waitsFor(Slot slot, Slot other) {
            return handleRows.isBelow(slot, other)
                    ? isWaitingConversion(other)
                    : isBehind(slot, other) || waitsForHandleOf(slot, other);
        }

        private boolean waitsForHandleOf(Slot slot, Slot other) {
            return isWaitingConversion(slot)
                    && isWaitingConversion(other)
                    && !slot.id().equals(other.id())
                    && slots.stream()
                            .anyMatch(below -> handleRows.isBelow(below, slot) && handleRows.isBelow(below, other));
        }

        private boolean isBehind(Slot slot, Slot other) {
            return slot.phase() != SlotPhase.CHOOSING
                    && !slot.id().equals(other.id())
                    && !slot.mode().isCompatibleWith(other.mode())
                    && Bakery.isAhead(other, slot)
                    && !ignores(slot, other);
        }

        private boolean ignores(Slot slot, Slot other) {
            return handleRows.isBelow(other, slot) || (handleRows.ignores(slot, other) && isOnlyOneOnItsBase(slot));
        }

        private boolean isOnlyOneOnItsBase(Slot slot) {
            return slots.stream()
                            .filter(other -> other.session().equals(slot.session()) && other.base() == slot.base())
                            .count()
                    == 1;
        }

        private boolean holdsNothing(Slot slot) {
            return !slot.isConversion() && slots.stream().noneMatch(other -> handleRows.isBelow(slot, other));
        }
    }
}
