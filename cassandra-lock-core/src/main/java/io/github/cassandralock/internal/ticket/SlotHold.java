package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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
    private final OwnRow slot;
    private final boolean contended;
    private final Duration waited;
    private final LocalSlot local;
    private final TokenReservation tokens;
    private final long beganAt;
    private int grants;
    private boolean isBase;
    private List<TicketGrant> current = List.of();

    /** The modes that the slot has always kept out; null as long as its mode is the one in which it was granted. */
    private @Nullable Set<LockMode> keptOut;

    private @Nullable ContentionWatch contention;

    /** @param local what the slot is used for */
    SlotHold(LockPartition partition, SlotAttempt.Outcome.Acquired acquired, LocalSlot local) {
        this.partition = partition;
        this.slot = acquired.slot();
        this.contended = acquired.contended();
        this.waited = acquired.waited();
        this.local = local;
        this.tokens = new TokenReservation(partition);
        this.beganAt = partition.context().ticker().nanos();
    }

    /** Whether other sessions wanted the lock when the slot was acquired. They probably want it again. */
    boolean isContended() {
        return contended;
    }

    OwnRow slot() {
        return slot;
    }

    /**
     * Whether the slot is that of a conversion up, or stands below one, or has become weaker by a conversion down. It is used by its
     * handles until they let it go, and by no others: what it keeps out is less than its mode says, or its tokens are lower than one
     * that was shown above it (rule 3).
     */
    boolean isConverted() {
        return isBase || keptOut != null || slot.row().isConversion();
    }

    /** Whether another thread of this process may get the lock next. If not, other processes that wait have priority. */
    boolean mayBeHandedOver() {
        return !isConverted()
                && grants < TicketSettings.TOKENS
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

    /** For how long the promise to come back holds without a thread that wants the lock. */
    Duration returnWindow() {
        return TicketSettings.returnWindow(waited);
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
        TicketGrant grant = new TicketGrant(this, grants, local);
        add(grant);
        return grant;
    }

    private void add(TicketGrant grant) {
        current = current.isEmpty()
                ? List.of(grant)
                : Stream.concat(current.stream(), Stream.of(grant)).toList();
    }

    /** All slots of a handle that has this slot. */
    Chain above(Chain below) {
        return below.up(new Chain.Link(local, this, mode()), tokens, grants + 1);
    }

    /** The slot was acquired for a conversion up of this grant: its handle has the slot, too. */
    void adopt(TicketGrant grant, Chain below) {
        below.links().forEach(link -> link.hold().isBase = true);
        grants++;
        add(grant);
    }

    TokenReservation tokens() {
        return tokens;
    }

    List<TicketGrant> grants() {
        return current;
    }

    /** Whether another grant than this one needs the slot in a mode that conflicts with this one. */
    boolean isUsedAgainst(LockMode mode, TicketGrant except) {
        return current.stream()
                .anyMatch(grant -> grant != except && !grant.need(this).isCompatibleWith(mode));
    }

    /** The least mode that does for all that use the slot. */
    LockMode needed() {
        return current.stream().map(grant -> grant.need(this)).reduce(LockMode.NULL, LockMode::leastCovering);
    }

    /** From now on the slot has this mode, which is weaker. */
    void weaken(LockMode mode) {
        Set<LockMode> before = modesKeptOut();
        before.retainAll(conflictingWith(mode));
        keptOut = before;
        slot.lowerMode(mode);
        if (contention != null) {
            contention.weakened();
        }
    }

    /** Whether, since it was granted, the slot has always kept out all that this mode keeps out (rule 7). */
    boolean hasKeptOutWhat(LockMode mode) {
        return modesKeptOut().containsAll(conflictingWith(mode));
    }

    private Set<LockMode> modesKeptOut() {
        return keptOut == null ? conflictingWith(mode()) : keptOut;
    }

    private static Set<LockMode> conflictingWith(LockMode mode) {
        Set<LockMode> conflicting = EnumSet.allOf(LockMode.class);
        conflicting.removeIf(mode::isCompatibleWith);
        return conflicting;
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
    void watchContention(TicketGrant grant, CompletableFuture<Void> contended) {
        if (contention == null) {
            contention = new ContentionWatch(partition, slot, this::isHeld);
        }
        contention.tell(grant, contended);
    }

    /** Somebody else waits for the lock. */
    void waitedFor() {
        if (contention != null) {
            contention.seen();
        }
    }

    /** The handle of this grant waits for a stronger mode: the others that use the slot are told. */
    void waitedForBy(TicketGrant converting) {
        if (contention != null) {
            contention.seenBy(converting);
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

    void warnOfLoss(String reason) {
        partition.context().warnings().lost().warn(partition.lockId(), reason);
    }

    void lose(String reason) {
        endContentionWatch();
        current.forEach(grant -> grant.abandon(reason));
    }
}
