package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/** A write of a slot, or an eviction. */
final class SlotWrite extends Request {

    private final Runnable acknowledged;
    private final String text;
    private final CompletableFuture<WriteOutcome> outcome = new CompletableFuture<>();

    private SlotWrite(SmallProcess process, Runnable acknowledged, String text) {
        super(process);
        this.acknowledged = acknowledged;
        this.text = text;
    }

    static SlotWrite of(SmallProcess process, LockRows rows, Slot slot, long timestamp, long expires) {
        LockRows.Version version = LockRows.Version.of(slot, timestamp, expires);
        rows.send(slot.id(), version);
        return new SlotWrite(process, () -> rows.acknowledge(slot.id(), version), "write of " + text(slot));
    }

    static SlotWrite eviction(SmallProcess process, LockRows rows, UUID session) {
        rows.sendEviction(session);
        return new SlotWrite(
                process, () -> rows.acknowledgeEviction(session), "eviction of " + SmallProcess.nameOf(session));
    }

    static String text(Slot slot) {
        return slot.phase()
                + (slot.mode() == LockMode.EXCLUSIVE ? "" : " in mode " + slot.mode())
                + (slot.isConversion() ? " for its conversion" : "")
                + (slot.ticket() == 0 ? "" : " with ticket " + slot.ticket());
    }

    CompletableFuture<WriteOutcome> outcome() {
        return outcome;
    }

    @Override
    int answers() {
        return 1;
    }

    @Override
    StateKey answer(int choice) {
        acknowledged.run();
        outcome.complete(WriteOutcome.APPLIED);
        return StateKey.EMPTY;
    }

    @Override
    void timeOut() {
        outcome.complete(new WriteOutcome.Unknown(new TimeoutException("no quorum in time")));
    }

    @Override
    StateKey key() {
        return StateKey.EMPTY;
    }

    @Override
    String answerText(int choice) {
        return "by a quorum";
    }

    @Override
    public String toString() {
        return text;
    }
}
