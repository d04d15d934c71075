package io.github.cassandralock.internal.ticket.handle;

import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.rows.HandleRows;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports to listeners that another caller waits for a lock that this process holds. It reads the slots every third of a lease,
 * to find sessions that send no notices. Only tasks of the lock's mailbox use it.
 */
public final class ContentionWatch {

    private final LockPartition partition;
    private final OwnRow row;
    private final BooleanSupplier held;
    private final List<Listener> listeners = new ArrayList<>(1);
    private boolean seen;

    /** The future to complete for a handle. */
    private record Listener(TicketHandle handle, CompletableFuture<Void> contended) {}

    /** Runs until the next read; null before the first one. */
    private @Nullable CompletableFuture<Void> timer;

    /** @param held whether the lock is held with this slot */
    public ContentionWatch(LockPartition partition, OwnRow row, BooleanSupplier held) {
        this.partition = partition;
        this.row = row;
        this.held = held;
    }

    /** Completes the future when another caller waits. Completes it at once if such a wait was already seen. */
    public void add(TicketHandle handle, CompletableFuture<Void> contended) {
        listeners.add(new Listener(handle, contended));
        if (seen) {
            report();
        } else if (timer == null) {
            lookLater();
        }
    }

    /** Reports that another caller waits. */
    public void report() {
        seen = true;
        listeners.forEach(listener -> listener.contended().complete(null));
        listeners.clear();
    }

    /** Reports that a handle of this slot waits for a stronger mode. The listeners of that handle itself are not called. */
    public void reportConversion(TicketHandle converting) {
        listeners.stream()
                .filter(listener -> listener.handle() != converting)
                .forEach(listener -> listener.contended().complete(null));
        listeners.removeIf(listener -> listener.contended().isDone());
    }

    /**
     * Discards the waits seen so far. After the mode was lowered, these waiters may have the lock. Only a wait that is seen later
     * is reported.
     */
    public void modeLowered() {
        if (seen) {
            end();
        }
    }

    /** Drops the listeners and what was seen. Ends the timer, which would keep all this in memory for a third of a lease. */
    public void end() {
        seen = false;
        listeners.clear();
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void lookLater() {
        Duration interval = partition.context().sessionSettings().lease().dividedBy(3);
        CompletableFuture<Void> next = partition.context().timers().after(interval);
        timer = next;
        next.whenCompleteAsync((done, noTimers) -> look(next, noTimers), partition.mailbox());
    }

    /** Nothing more is reported without timers, which end with the application. */
    private void look(CompletableFuture<Void> present, @Nullable Throwable noTimers) {
        if (noTimers == null && isDue(present)) {
            partition.read().whenCompleteAsync((read, failure) -> looked(present, read), partition.mailbox());
        }
    }

    /** Whether the read after this timer is needed: no wait was seen, and no other series of reads has begun. */
    private boolean isDue(CompletableFuture<Void> present) {
        return timer == present && !seen && held.getAsBoolean();
    }

    /**
     * Ignores the row of an attempt that is over according to its session, because its release may never be written. Others that
     * hold permits do not wait.
     */
    private boolean othersWait(LockSlots read) {
        HandleRows handleRows = new HandleRows(read.slots());
        return !Bakery.hasRoomBeside(
                Bakery.conflicting(read, row.slot()).stream()
                        .filter(other ->
                                !handleRows.isBelow(other, row.slot()) && !handleRows.isBelow(row.slot(), other))
                        .filter(other -> !partition.facts().isOverWithoutPromise(other))
                        .toList(),
                row.slot().permits());
    }

    /** A read that failed is repeated after the same time, as long as the grant is held. */
    private void looked(CompletableFuture<Void> present, @Nullable LockSlots read) {
        if (!isDue(present)) {
            return;
        }
        if (read != null && othersWait(read)) {
            report();
        } else {
            lookLater();
        }
    }
}
