package io.github.cassandralock.internal.ticket.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whom an attempt waits for, one read and one fact at a time (notices, section 3). */
class BlockersTest {

    private static final Slot OWN = slot(5, 3, SlotPhase.TICKETED, 7);
    private static final Slot AHEAD = slot(1, 10, SlotPhase.TICKETED, 6);

    private final LockFacts facts = new LockFacts(true);

    private static Slot slot(long session, long attempt, SlotPhase phase, long ticket) {
        return new Slot(new SlotId(new UUID(0, session), 0), attempt, phase, LockMode.EXCLUSIVE, ticket);
    }

    private static LockSlots read(Slot... slots) {
        return new LockSlots(List.of(slots), OptionalLong.empty());
    }

    private static Blockers after(Slot... slots) {
        return new Blockers(Bakery.conflicting(read(slots), OWN), OWN);
    }

    private static List<Slot> afterBoth(Slot first, Slot later) {
        Blockers blockers = after(first);
        blockers.applyRead(read(later, OWN));
        return blockers.inOrder();
    }

    private List<Slot> learn(Blockers blockers, Fact... heard) {
        for (Fact fact : heard) {
            facts.add(fact);
        }
        blockers.apply(facts);
        return blockers.inOrder();
    }

    @Test
    void theFirstReadSaysWhoTheyAre() {
        Slot choosing = slot(9, 1, SlotPhase.CHOOSING, 0);
        Slot behind = slot(6, 1, SlotPhase.TICKETED, 7);
        Slot idle = slot(2, 1, SlotPhase.IDLE, 0);
        assertThat(after(behind, idle, AHEAD, OWN, choosing).inOrder()).containsExactly(choosing, AHEAD);
    }

    @Test
    void laterReadAddsNoBlocker() {
        Blockers blockers = after(AHEAD);
        blockers.applyRead(read(AHEAD, slot(2, 1, SlotPhase.CHOOSING, 0), OWN));
        assertThat(blockers.inOrder()).containsExactly(AHEAD);
    }

    @Test
    void rowThatIsMissingOrIdleBlocksNoMore() {
        Blockers blockers = after(AHEAD);
        blockers.applyRead(read(OWN));
        assertThat(blockers.isOwnTurn()).isTrue();
        assertThat(afterBoth(AHEAD, slot(1, 10, SlotPhase.IDLE, 0))).isEmpty();
        assertThat(afterBoth(AHEAD, slot(1, 12, SlotPhase.IDLE, 0))).isEmpty();
    }

    @Test
    void rowOfAnEarlierAttemptChangesNothing() {
        assertThat(afterBoth(AHEAD, slot(1, 9, SlotPhase.IDLE, 0))).containsExactly(AHEAD);
        assertThat(afterBoth(AHEAD, slot(1, 9, SlotPhase.TICKETED, 2))).containsExactly(AHEAD);
    }

    @Test
    void ticketThatWasNotedIsNotForgotten() {
        assertThat(afterBoth(AHEAD, slot(1, 10, SlotPhase.CHOOSING, 0))).containsExactly(AHEAD);
    }

    @Test
    void oneThatWasChoosingBlocksIfItsTicketIsAhead() {
        Slot choosing = slot(1, 10, SlotPhase.CHOOSING, 0);
        assertThat(afterBoth(choosing, AHEAD)).containsExactly(AHEAD);
        assertThat(afterBoth(choosing, slot(1, 10, SlotPhase.TICKETED, 8))).isEmpty();
    }

    @Test
    void laterAttemptBlocksOnlyIfItCameBackWithATicketAhead() {
        assertThat(afterBoth(AHEAD, slot(1, 11, SlotPhase.CHOOSING, 0))).isEmpty();
        assertThat(afterBoth(AHEAD, slot(1, 11, SlotPhase.TICKETED, 2))).isEmpty();
        assertThat(afterBoth(AHEAD, slot(1, 11, SlotPhase.RETICKETED, 8))).isEmpty();
        Slot returned = slot(1, 11, SlotPhase.RETICKETED, 5);
        assertThat(afterBoth(AHEAD, returned)).containsExactly(returned);
    }

    @Test
    void factEndsEarlierAttemptsOnly() {
        assertThat(learn(after(AHEAD), Fact.over(AHEAD.id(), 10))).containsExactly(AHEAD);
        assertThat(learn(after(AHEAD), Fact.over(AHEAD.id(), 11))).isEmpty();
    }

    @Test
    void promisedAttemptBlocksIfItsTicketIsAhead() {
        assertThat(learn(after(AHEAD), Fact.promised(AHEAD.id(), 11, 5)))
                .containsExactly(slot(1, 11, SlotPhase.RETICKETED, 5));
        assertThat(learn(after(AHEAD), Fact.promised(AHEAD.id(), 12, 8))).isEmpty();
    }

    @Test
    void numbersOfTwoFactsAreNotMixed() {
        assertThat(learn(after(AHEAD), Fact.promised(AHEAD.id(), 12, 5), Fact.promised(AHEAD.id(), 11, 9)))
                .containsExactly(slot(1, 12, SlotPhase.RETICKETED, 5));
    }

    @Test
    void theLastIsTheOneWithTheHighestTicket() {
        Slot choosing = slot(9, 1, SlotPhase.CHOOSING, 0);
        Slot first = slot(2, 1, SlotPhase.TICKETED, 2);
        assertThat(after(first, AHEAD, choosing).lastBlockers()).containsExactly(AHEAD);
        assertThat(after(choosing).lastBlockers()).containsExactly(choosing);
    }

    private static Slot slot(long session, SlotPhase phase, LockMode mode, long ticket) {
        return new Slot(new SlotId(new UUID(0, session), 0), 1, phase, mode, ticket);
    }

    @Test
    void ofHoldersThatShareTheLockEachIsALastOneUnlessAnotherBlockerWaitsForIt() {
        Slot writer = slot(1, SlotPhase.TICKETED, LockMode.CONCURRENT_WRITE, 1);
        Slot reader = slot(2, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 2);
        Slot sharing = slot(3, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 3);
        Slot holder = slot(4, SlotPhase.CHOOSING, LockMode.PROTECTED_READ, 0);
        assertThat(after(writer, reader, sharing, holder).lastBlockers()).containsExactly(reader, sharing);
    }

    @Test
    void blockerThatIsStillThereAlthoughOneThatWaitedForItIsOverIsNoticed() {
        Slot reader = slot(2, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 2);
        Slot sharing = slot(3, SlotPhase.TICKETED, LockMode.PROTECTED_READ, 3);
        Slot writer = slot(4, SlotPhase.TICKETED, LockMode.CONCURRENT_WRITE, 4);
        Blockers blockers = after(reader);
        assertThat(blockers.areAheadOf(writer)).isTrue();
        assertThat(blockers.areAheadOf(sharing)).as("that one did not wait").isFalse();
    }

    private static Slot permit(long session, int permits, long ticket) {
        return new Slot(
                new SlotId(new UUID(0, session), 0),
                10,
                ticket == 0 ? SlotPhase.CHOOSING : SlotPhase.TICKETED,
                LockMode.EXCLUSIVE,
                ticket,
                Slot.NO_BASE,
                permits);
    }

    @Test
    void oneThatIsBehindDoesNotLowerTheNumberOfPermits() {
        Slot own = permit(5, 3, 7);
        Blockers blockers = new Blockers(List.of(permit(1, 3, 0), permit(2, 3, 6), permit(6, 1, 8)), own);
        assertThat(blockers.permits()).isEqualTo(3);
        assertThat(blockers.isOwnTurn()).isTrue();
        assertThat(new Blockers(List.of(permit(1, 2, 0), permit(2, 3, 6)), own).isOwnTurn())
                .isFalse();
    }

    @Test
    void promisedAttemptHasThePermitsOfTheOneBefore() {
        Blockers blockers = new Blockers(List.of(permit(1, 2, 5)), permit(5, 3, 7));
        facts.add(Fact.promised(permit(1, 2, 5).id(), 11, 6));
        blockers.apply(facts);
        assertThat(blockers.permits()).isEqualTo(2);
    }

    @Test
    void waiterForAPermitWasBehindAsManyAsItHasPermits() {
        Blockers blockers = new Blockers(List.of(permit(1, 2, 1), permit(2, 2, 2)), permit(5, 2, 7));
        assertThat(blockers.areAheadOf(permit(3, 2, 3))).isTrue();
        assertThat(blockers.areAheadOf(permit(3, 3, 3)))
                .as("that one needed fewer")
                .isFalse();
    }

    @Test
    void ticketThatIsToldCountsForTheAttemptThatItNames() {
        Blockers blockers = after(slot(1, 10, SlotPhase.CHOOSING, 0), slot(2, 20, SlotPhase.CHOOSING, 0));
        assertThat(blockers.ticketDrawn(new SlotId(new UUID(0, 1), 0), 9, 8))
                .as("an earlier attempt")
                .isFalse();
        assertThat(blockers.ticketDrawn(new SlotId(new UUID(0, 1), 0), 10, 6)).isTrue();
        assertThat(blockers.ticketDrawn(new SlotId(new UUID(0, 2), 0), 20, 8))
                .as("behind")
                .isTrue();
        assertThat(blockers.inOrder()).containsExactly(AHEAD);
    }

    @Test
    void readsTeachWhatTheirRowsSayAndNothingAboutMissingOnes() {
        facts.addRows(read(
                slot(1, 4, SlotPhase.IDLE, 0), slot(2, 5, SlotPhase.TICKETED, 8), slot(3, 6, SlotPhase.RETICKETED, 9)));
        facts.addRows(read());
        assertThat(facts.about(new SlotId(new UUID(0, 1), 0))).isEqualTo(Fact.over(new SlotId(new UUID(0, 1), 0), 5));
        assertThat(facts.about(new SlotId(new UUID(0, 2), 0))).isEqualTo(Fact.over(new SlotId(new UUID(0, 2), 0), 5));
        assertThat(facts.about(new SlotId(new UUID(0, 3), 0)))
                .isEqualTo(Fact.promised(new SlotId(new UUID(0, 3), 0), 6, 9));
        assertThat(facts.nextPromisedTicket()).isEqualTo(9 + 1 + LockFacts.GAP);
    }

    /** Sessions that are long dead would otherwise be told of for ever, by all to all. */
    @Test
    void factsAboutOthersAreOfSessionsInTheLastReadWaitersFirst() {
        facts.addRows(read(slot(1, 4, SlotPhase.TICKETED, 1), slot(2, 5, SlotPhase.TICKETED, 8)));
        facts.add(Fact.over(new SlotId(new UUID(0, 9), 0), 3));
        facts.addRows(read(
                slot(4, 7, SlotPhase.IDLE, 0), slot(2, 6, SlotPhase.CHOOSING, 0), slot(5, 1, SlotPhase.TICKETED, 9)));
        assertThat(facts.aboutOthers(new SlotId(new UUID(0, 5), 0)))
                .containsExactly(
                        Fact.over(new SlotId(new UUID(0, 2), 0), 6), Fact.over(new SlotId(new UUID(0, 4), 0), 8));
    }
}
