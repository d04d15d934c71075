package io.github.cassandralock.internal.ticket.slot;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.attempt.Outcome;
import io.github.cassandralock.internal.ticket.handle.ContentionWatch;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TokenReservation;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this process holds the lock with one slot, from the winning read to the write that gives the slot up. It
 * has one grant, or several: one after the other (protocol, section 6), or at the same time (lock modes, section 2). Only tasks of
 * the lock's mailbox change it.
 */
public final class SlotHold {

    private final OwnRow row;
    private final boolean contended;
    private final Duration waited;
    private final TokenReservation tokens;
    private final long beganAt;

    /** At most {@link TicketSettings#TOKENS}. As an int, it would make each of many thousand holds 8 bytes larger. */
    private short grants;

    private boolean isBase;

    /** Who uses the slot, in the order of arrival, and the mode that each handle needs of it. Immutable. */
    private Map<TicketHandle, LockMode> needs = Map.of();

    /** The modes that the slot has always excluded; null as long as its mode is the one in which it was granted. */
    private @Nullable Set<LockMode> excluded;

    private @Nullable ContentionWatch contention;

    public SlotHold(TokenReservation tokens, Outcome.Acquired acquired) {
        this.row = acquired.slot();
        this.contended = acquired.contended();
        this.waited = acquired.waited();
        this.tokens = tokens;
        this.beganAt = tokens.context().ticker().nanos();
    }

    private TicketSettings settings() {
        return tokens.context().settings();
    }

    /** Whether other sessions wanted the lock when the slot was acquired. They probably want it again. */
    boolean isContended() {
        return contended;
    }

    public OwnRow row() {
        return row;
    }

    /**
     * Whether the slot is that of a conversion up, or stands below one, or has become weaker by a conversion down. It is used by its
     * handles until they let it go, and by no others: what it keeps out is less than its mode says, or its tokens are lower than one
     * that was shown above it (rule 3).
     */
    public boolean isPartOfConversion() {
        return isBase || excluded != null || row.row().isConversion();
    }

    /** Whether another thread of this process may get the lock next. If not, other processes that wait have priority. */
    boolean mayBeHandedOver() {
        return !isPartOfConversion()
                && grants < TicketSettings.TOKENS
                && age().compareTo(settings().maxDuration()) < 0;
    }

    /** Whether the slot may be kept, and then granted without an operation. Others that cannot ask wait until it may not. */
    boolean mayBeKept() {
        return grants < TicketSettings.TOKENS && age().compareTo(settings().longestKept()) < 0 && row.isValid();
    }

    /** For how long a slot that may be kept is kept, unless a thread takes it before. */
    Duration keptFor() {
        Duration left = settings().longestKept().minus(age());
        Duration keep = settings().keep();
        return left.compareTo(keep) < 0 ? left : keep;
    }

    /** For how long the promise to come back holds without a thread that wants the lock. */
    Duration returnWindow() {
        return TicketSettings.returnWindow(waited);
    }

    /** May be called from any thread. */
    public Duration age() {
        return Duration.ofNanos(tokens.context().ticker().nanos() - beganAt);
    }

    public LockMode mode() {
        return row.row().mode();
    }

    public TicketHandle nextHandle() {
        grants++;
        TicketHandle handle = new TicketHandle(row, tokens, grants);
        setNeed(handle, mode());
        return handle;
    }

    public void setNeed(TicketHandle handle, LockMode need) {
        if (needs.isEmpty()) {
            needs = Map.of(handle, need);
        } else {
            Map<TicketHandle, LockMode> changed = new LinkedHashMap<>(needs);
            changed.put(handle, need);
            needs = changed;
        }
    }

    /** All slots of a handle that has this slot on top of these. */
    public TicketHandle.Slots above(TicketHandle.Slots below) {
        return below.up(row, tokens, grants + 1);
    }

    /** The slot was acquired for a conversion up of this handle. */
    public void addConverted(TicketHandle handle) {
        grants++;
        setNeed(handle, mode());
    }

    /** A conversion stands on the slot. */
    public void setBase() {
        isBase = true;
    }

    public List<TicketHandle> handles() {
        return List.copyOf(needs.keySet());
    }

    /** Whether another handle than this one needs the slot in a mode that conflicts with this one. */
    public boolean othersConflict(LockMode mode, TicketHandle except) {
        return needs.entrySet().stream()
                .anyMatch(use -> use.getKey() != except && !use.getValue().isCompatibleWith(mode));
    }

    /** The mode that the handle needs of the slot; NULL if it does not use it. */
    public LockMode need(TicketHandle handle) {
        return needs.getOrDefault(handle, LockMode.NULL);
    }

    /** The least mode that does for all that use the slot. */
    public LockMode leastNeeded() {
        return needs.values().stream().reduce(LockMode.NULL, LockMode::leastCovering);
    }

    /** From now on the slot has this mode, which is weaker. */
    public void lowerMode(LockMode mode) {
        Set<LockMode> before = modesExcluded();
        before.retainAll(conflictingWith(mode));
        excluded = before;
        row.lowerMode(mode);
    }

    /** Whether, since it was granted, the slot has always excluded all that this mode excludes (rule 7). */
    public boolean hasAlwaysExcluded(LockMode mode) {
        return modesExcluded().containsAll(conflictingWith(mode));
    }

    private Set<LockMode> modesExcluded() {
        return excluded == null ? conflictingWith(mode()) : excluded;
    }

    private static Set<LockMode> conflictingWith(LockMode mode) {
        Set<LockMode> conflicting = EnumSet.allOf(LockMode.class);
        conflicting.removeIf(mode::isCompatibleWith);
        return conflicting;
    }

    /** Whether the handle uses the slot, and has not ended. */
    public boolean has(TicketHandle handle) {
        return needs.containsKey(handle);
    }

    /** The holder of the handle has released it; returns whether it was the last one. */
    boolean end(TicketHandle handle) {
        if (needs.size() > 1) {
            Map<TicketHandle, LockMode> changed = new LinkedHashMap<>(needs);
            changed.remove(handle);
            needs = changed;
        } else if (has(handle)) {
            needs = Map.of();
        }
        return needs.isEmpty();
    }

    /** Tells holders that somebody else waits; empty until one asks. */
    public Optional<ContentionWatch> contention() {
        return Optional.ofNullable(contention);
    }

    public void watchContention(ContentionWatch watch) {
        contention = watch;
    }

    /** Whether one that uses the slot has the lock. */
    public boolean isValid() {
        return needs.keySet().stream().anyMatch(TicketHandle::isValid);
    }
}
