package io.github.cassandralock.internal.ticket;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this process holds the lock with one slot, from the winning read to the write that gives the slot up. It
 * has one grant, or several one after the other (protocol, section 6). Only tasks of the lock's mailbox change it.
 */
final class SlotHold {

    private final LockPartition partition;
    private final OwnSlot slot;
    private final boolean contended;
    private final TicketGrant.Owner owner;
    private final TokenReservation tokens;
    private final long beganAt;
    private int grants;
    private @Nullable TicketGrant current;
    private @Nullable ContentionWatch contention;

    /** @param owner of each grant */
    SlotHold(LockPartition partition, AttemptOutcome.Acquired acquired, TicketGrant.Owner owner) {
        this.partition = partition;
        this.slot = acquired.slot();
        this.contended = acquired.contended();
        this.owner = owner;
        this.tokens = new TokenReservation(partition);
        this.beganAt = partition.context().ticker().nanos();
    }

    /** Whether other sessions wanted the lock when the slot was acquired. They probably want it again. */
    boolean isContended() {
        return contended;
    }

    OwnSlot slot() {
        return slot;
    }

    /** Whether another thread of this process may get the lock next. If not, other processes that wait have priority. */
    boolean mayBeHandedOver() {
        return grants < TicketSettings.TOKENS
                && age().compareTo(partition.context().settings().maxDuration()) < 0;
    }

    /** Whether the slot may be kept, and then granted without an operation. Others that cannot ask wait until it may not. */
    boolean mayBeKept() {
        return grants < TicketSettings.TOKENS
                && age().compareTo(partition.context().settings().longestKept()) < 0
                && slot.isValid();
    }

    /** For how long a slot that may be kept is kept, unless a thread takes it before. */
    Duration keptFor() {
        TicketSettings settings = partition.context().settings();
        Duration left = settings.longestKept().minus(age());
        return left.compareTo(settings.keep()) < 0 ? left : settings.keep();
    }

    /** May be called from any thread. */
    Duration age() {
        return Duration.ofNanos(partition.context().ticker().nanos() - beganAt);
    }

    TicketGrant nextGrant() {
        endContentionWatch();
        grants++;
        TicketGrant grant = new TicketGrant(partition, slot, tokens, grants, owner);
        current = grant;
        return grant;
    }

    boolean isCurrent(TicketGrant grant) {
        return current == grant;
    }

    /** Completes the future when somebody else waits for the lock while this grant is held. */
    void watchContention(TicketGrant grant, CompletableFuture<Void> contended) {
        if (contention == null) {
            contention = new ContentionWatch(partition, slot, grant);
        }
        contention.tell(contended);
    }

    /** Somebody else waits for the lock. */
    void waitedFor() {
        if (contention != null) {
            contention.seen();
        }
    }

    /** The present grant has ended: nobody is to be told any more. */
    void endContentionWatch() {
        if (contention != null) {
            contention.end();
            contention = null;
        }
    }

    void lose(String reason) {
        endContentionWatch();
        if (current != null) {
            current.abandon(reason);
        }
    }
}
