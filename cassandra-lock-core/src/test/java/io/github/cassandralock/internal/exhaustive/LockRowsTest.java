package io.github.cassandralock.internal.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The rows keep the promise of the protocol's section 1, and no other. */
class LockRowsTest {

    private static final SlotId ID = new SlotId(new UUID(0, 0), 0);
    private static final long EXPIRES = 100;
    private static final Slot FIRST = slot(SlotPhase.CHOOSING);
    private static final Slot SECOND = slot(SlotPhase.IDLE);

    private final List<SlotRead> reads = new ArrayList<>();
    private final LockRows rows = new LockRows(reads);
    private final SmallProcess process = new SmallProcess(0, new SmallTime(true), 1);

    private static Slot slot(SlotPhase phase) {
        return new Slot(ID, 1, phase, LockMode.EXCLUSIVE, 0);
    }

    private static LockRows.Version version(Slot slot, long timestamp) {
        return LockRows.Version.of(slot, timestamp, EXPIRES);
    }

    private void write(Slot slot, long timestamp) {
        LockRows.Version version = version(slot, timestamp);
        rows.send(ID, version);
        rows.acknowledge(ID, version);
    }

    private SlotRead beginRead() {
        SlotRead read = new SlotRead(process, rows.possible());
        reads.add(read);
        return read;
    }

    private List<Slot> shownBy(SlotRead read, int choice) {
        read.answer(choice);
        return read.result().join().slots();
    }

    @Test
    void readAfterAnAcknowledgedWriteShowsIt() {
        write(FIRST, 1);
        write(SECOND, 2);
        SlotRead read = beginRead();
        assertThat(read.answers()).isEqualTo(1);
        assertThat(shownBy(read, 0)).containsExactly(SECOND);
    }

    @Test
    void readDuringAWriteShowsTheRowBeforeOrAfter() {
        write(FIRST, 1);
        SlotRead before = beginRead();
        SlotRead after = beginRead();
        rows.send(ID, version(SECOND, 2));
        assertThat(before.answers()).isEqualTo(2);
        assertThat(shownBy(before, 0)).containsExactly(FIRST);
        assertThat(shownBy(after, 1)).containsExactly(SECOND);
    }

    @Test
    void writeWithoutAnAcknowledgementMayShowLater() {
        rows.send(ID, version(FIRST, 1));
        assertThat(beginRead().answers()).isEqualTo(2);
        write(SECOND, 2);
        assertThat(shownBy(beginRead(), 0)).containsExactly(SECOND);
    }

    @Test
    void rowExpiresAtItsInstantAndNotBefore() {
        write(FIRST, 1);
        assertThat(rows.expiries(EXPIRES - 1)).isEmpty();
        assertThat(rows.expiries(EXPIRES)).hasSize(1);
    }

    @Test
    void lifeOfAWriteThatIsSentAgainCountsFromTheFirstTime() {
        rows.send(ID, version(FIRST, 1));
        LockRows.Version again = LockRows.Version.of(FIRST, 1, 2 * EXPIRES);
        rows.send(ID, again);
        rows.acknowledge(ID, again);
        assertThat(rows.expiries(EXPIRES)).hasSize(1);
    }

    @Test
    void rowThatHasExpiredMayShowUntilItIsWrittenAgain() {
        write(FIRST, 1);
        SlotRead before = beginRead();
        rows.expire(rows.expiries(EXPIRES).get(0));
        assertThat(rows.expiries(EXPIRES)).isEmpty();
        assertThat(before.answers()).isEqualTo(2);
        assertThat(shownBy(before, 1)).isEmpty();
        assertThat(shownBy(beginRead(), 0)).containsExactly(FIRST);
        assertThat(shownBy(beginRead(), 1)).isEmpty();
        write(SECOND, 2);
        assertThat(shownBy(beginRead(), 0)).containsExactly(SECOND);
    }

    @Test
    void lateWriteOfAnEvictedSessionShowsNothing() {
        rows.sendEviction(ID.session());
        rows.acknowledgeEviction(ID.session());
        write(FIRST, 1);
        SlotRead read = beginRead();
        assertThat(read.answers()).isEqualTo(1);
        assertThat(shownBy(read, 0)).isEmpty();
    }
}
