package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.slot.SlotHold;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The calls of a lock's parts to its {@link LockActor}. Without this interface, their classes would form a cycle. */
interface LockEvents {

    LockPartition partition();

    /** The slot with this number has acquired the hold for a conversion. To be called in an event of the lock. */
    void conversionAcquired(TicketRequest conversion, int slot, SlotHold hold);

    /** The lock is taken away from these handles. To be called in an event of the lock. */
    void lost(List<TicketHandle> handles, LockLoss loss);

    /** The caller of a request does not wait for it any longer. May be called from any thread. */
    void cancelled(TicketRequest request);

    /** The holder has released the handle, and its value is closed. To be called in an event of the lock. */
    void released(TicketHandle handle);

    /**
     * The process ends, and the lock stays taken for at least this long. To be called in an event of the lock, after the value is
     * closed.
     */
    void leftBehind(TicketHandle handle, Duration atLeast);

    /**
     * Converts the handle to another mode. May be called from any thread.
     *
     * @param grant of the handle, which is the result of the conversion
     * @param tries whether the conversion is refused if it would have to wait
     * @param closeValueThen closes the handle's value, and then runs the action
     */
    TicketRequest convert(
            TicketHandle handle, Grant grant, LockMode mode, boolean tries, Consumer<Runnable> closeValueThen);

    /** Completes the future when another caller waits while this handle is held. May be called from any thread. */
    void contentionRequested(TicketHandle handle, CompletableFuture<Void> contended);

    /** Whether this process has all slots of the handle, and their rows are valid. To be called in an event of the lock. */
    boolean holdsAllSlots(TicketHandle handle);
}
