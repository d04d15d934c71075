package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.UnacknowledgedWriteException;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * One change of a slot, under the timestamp that it drew when it was decided. It may be sent again and again until it is
 * acknowledged: whichever sending arrives, a later change wins over all of them.
 *
 * @param drawnAt when its timestamp was drawn, on the monotonic clock
 */
record SlotWrite(TicketParts parts, String lockId, Slot row, long timestamp, long drawnAt, Duration life, Carry carry) {

    /**
     * Sends it once.
     *
     * @return from when on its life counts: from the drawing of its timestamp, however late it was sent again, since a
     *     change with a later timestamp may hide it and expires earlier; completes with {@link
     *     UnacknowledgedWriteException} if no quorum acknowledged it
     */
    CompletionStage<Long> send() {
        return Operation.begin(() -> parts.store().write(lockId, row, timestamp, life, carry.value()))
                .thenApply(outcome -> {
                    WriteOutcome.requireApplied(outcome);
                    return drawnAt;
                });
    }
}
