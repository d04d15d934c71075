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
    private static final Slot FIRST = slot(SlotPhase.CHOOSING);
    private static final Slot SECOND = slot(SlotPhase.IDLE);

    private final List<SlotRead> reads = new ArrayList<>();
    private final LockRows rows = new LockRows(reads);
    private final SmallProcess process = new SmallProcess(0, new SmallTime(true), 1);

    private static Slot slot(SlotPhase phase) {
        return new Slot(ID, 1, phase, LockMode.EXCLUSIVE, 0);
    }

    private void write(Slot slot, long timestamp) {
        rows.send(slot, timestamp);
        rows.acknowledge(slot, timestamp);
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
        rows.send(SECOND, 2);
        assertThat(before.answers()).isEqualTo(2);
        assertThat(shownBy(before, 0)).containsExactly(FIRST);
        assertThat(shownBy(after, 1)).containsExactly(SECOND);
    }

    @Test
    void writeWithoutAnAcknowledgementMayShowLater() {
        rows.send(FIRST, 1);
        assertThat(beginRead().answers()).isEqualTo(2);
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
