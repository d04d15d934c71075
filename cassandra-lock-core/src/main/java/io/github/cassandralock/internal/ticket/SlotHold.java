package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this process holds the lock with one slot, from the winning read to the write that gives the slot up. It
 * has one grant, or several: one after the other (protocol, section 6), or at the same time (lock modes, section 2). Only tasks of
 * the lock's mailbox change it.
 */
final class SlotHold {

    private final LockPartition partition;
    private final OwnSlot slot;
    private final boolean contended;
    private final TicketGrant.Owner owner;
    private final TokenReservation tokens;
    private final long beganAt;
    private int grants;
    private List<TicketGrant> current = List.of();
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

    LockMode mode() {
        return slot.row().mode();
    }

    TicketGrant nextGrant() {
        grants++;
        TicketGrant grant = new TicketGrant(partition, slot, tokens, grants, owner);
        current = current.isEmpty()
                ? List.of(grant)
                : Stream.concat(current.stream(), Stream.of(grant)).toList();
        return grant;
    }

    /** Whether the grant is one of this hold, and has not ended. */
    boolean has(TicketGrant grant) {
        return current.contains(grant);
    }

    /** The holder of the grant has released it; returns whether it was the last one. */
    boolean end(TicketGrant grant) {
        current = current.stream().filter(other -> other != grant).toList();
        if (current.isEmpty()) {
            endContentionWatch();
        }
        return current.isEmpty();
    }

    /** Completes the future when somebody else waits for the lock while it is held. */
    void watchContention(CompletableFuture<Void> contended) {
        if (contention == null) {
            contention = new ContentionWatch(partition, slot, this::isHeld);
        }
        contention.tell(contended);
    }

    /** Somebody else waits for the lock. */
    void waitedFor() {
        if (contention != null) {
            contention.seen();
        }
    }

    private boolean isHeld() {
        return current.stream().anyMatch(TicketGrant::isValid);
    }

    /** Nobody is to be told any more. */
    private void endContentionWatch() {
        if (contention != null) {
            contention.end();
            contention = null;
        }
    }

    void lose(String reason) {
        endContentionWatch();
        current.forEach(grant -> grant.abandon(reason));
    }
}
