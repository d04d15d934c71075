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
 * A hold of the lock by one slot, from the winning read to the write that releases the slot. A hold has one or several grants.
 * They follow one another (protocol, section 6), or overlap (lock modes, section 2). Only tasks of the lock's mailbox change a
 * hold.
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

    /** The handles that use the slot, in the order of arrival, each with the mode that it needs. Immutable. */
    private Map<TicketHandle, LockMode> needs = Map.of();

    /** The modes that the slot has always excluded; null as long as the slot has the mode of its grant. */
    private @Nullable Set<LockMode> excluded;

    private @Nullable ContentionWatch contention;

    public SlotHold(TokenReservation tokens, Outcome.Acquired acquired) {
        this.row = acquired.row();
        this.contended = acquired.contended();
        this.waited = acquired.waited();
        this.tokens = tokens;
        this.beganAt = tokens.context().ticker().nanos();
    }

    private TicketSettings settings() {
        return tokens.context().settings();
    }

    /** Whether other sessions requested the lock when the slot was acquired. They probably request it again. */
    boolean isContended() {
        return contended;
    }

    public OwnRow row() {
        return row;
    }

    /**
     * Whether a conversion up acquired the slot or stands on it, or a conversion down has lowered its mode. Only the handles that
     * use such a slot may use it, until they release it. Such a slot excludes less than its mode, or has lower tokens than the
     * slot above it (rule 3).
     */
    public boolean isPartOfConversion() {
        return isBase || excluded != null || row.slot().isConversion();
    }

    /** Whether another thread of this process may get the lock next. If not, waiting processes have priority. */
    boolean mayServeNext() {
        return !isPartOfConversion()
                && grants < TicketSettings.TOKENS
                && age().compareTo(settings().maxDuration()) < 0;
    }

    /**
     * Whether the slot may be kept, and then granted without an operation. Sessions that cannot send {@code ASK} wait until this
     * time is over.
     */
    boolean mayBeKept() {
        return grants < TicketSettings.TOKENS && age().compareTo(settings().longestKept()) < 0 && row.isValid();
    }

    /** For how long the slot is kept, unless a thread takes it earlier. */
    Duration keptFor() {
        Duration left = settings().longestKept().minus(age());
        Duration keep = settings().keep();
        return left.compareTo(keep) < 0 ? left : keep;
    }

    /** For how long a promise to return holds without a request from this process. */
    Duration reticketWindow() {
        return TicketSettings.reticketWindow(waited);
    }

    /** May be called from any thread. */
    public Duration age() {
        return Duration.ofNanos(tokens.context().ticker().nanos() - beganAt);
    }

    public LockMode mode() {
        return row.slot().mode();
    }

    public int permits() {
        return row.slot().permits();
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
    public TicketHandle.Slots slotsAbove(TicketHandle.Slots below) {
        return below.withTop(row, tokens, grants + 1);
    }

    /** Records that a conversion up of this handle acquired the slot. */
    public void addConverted(TicketHandle handle) {
        grants++;
        setNeed(handle, mode());
    }

    /** Records that a conversion stands on the slot. */
    public void setBase() {
        isBase = true;
    }

    public List<TicketHandle> handles() {
        return List.copyOf(needs.keySet());
    }

    /** Whether any other handle needs the slot in a mode that conflicts with the given mode. */
    public boolean othersConflict(LockMode mode, TicketHandle except) {
        return needs.entrySet().stream()
                .anyMatch(use -> use.getKey() != except && !use.getValue().isCompatibleWith(mode));
    }

    /** The mode that the handle needs of the slot; NULL if the handle does not use the slot. */
    public LockMode need(TicketHandle handle) {
        return needs.getOrDefault(handle, LockMode.NULL);
    }

    /** The least mode that covers what every handle needs of the slot. */
    public LockMode leastNeeded() {
        return needs.values().stream().reduce(LockMode.NULL, LockMode::leastCovering);
    }

    /** Lowers the slot to this mode. */
    public void lowerMode(LockMode mode) {
        Set<LockMode> before = modesExcluded();
        before.retainAll(conflictingWith(mode));
        excluded = before;
        row.lowerMode(mode);
    }

    /** Whether the slot has excluded all that the given mode excludes, at every time since its grant (rule 7). */
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

    /** Removes the handle that its holder has released; returns whether no handle uses the slot any more. */
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

    /** Informs holders that another caller waits; empty until a holder listens. */
    public Optional<ContentionWatch> contention() {
        return Optional.ofNullable(contention);
    }

    public void watchContention(ContentionWatch watch) {
        contention = watch;
    }

    /** Whether all handles that use the slot were lost, and none of them is released. */
    boolean isLost() {
        return needs.keySet().stream().allMatch(TicketHandle::isLost);
    }

    /** Whether at least one handle that uses the slot is valid. */
    public boolean isValid() {
        return needs.keySet().stream().anyMatch(TicketHandle::isValid);
    }
}
