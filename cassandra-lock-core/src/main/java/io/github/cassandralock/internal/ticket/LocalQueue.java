package io.github.cassandralock.internal.ticket;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Fact;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.ticket.attempt.SlotAttempt;
import io.github.cassandralock.internal.ticket.attempt.SlotNotices;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.rows.Bakery;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.internal.ticket.table.OwnRow;
import io.github.cassandralock.spi.Obstacle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The queue of one lock in this process. Threads of this process wait here, first come, first served, until they may begin with a
 * slot (lock modes, section 2). The queue exists while a thread wants or holds the lock, or while one of its slots is being
 * released.
 */
final class LocalQueue implements LocalSlot.Requests, IncomingNotices.Slots, WaiterChecks.Queue {

    /*
     * Only tasks of the mailbox change anything. Here are the threads that wait for a slot; a thread that waits with a slot, or
     * holds the lock with it, is known to the slot. "begin" is where threads leave this queue.
     */

    private final LockPartition partition;
    private final Optional<Deadlocks> deadlocks;
    private final Consumer<LocalQueue> retire;
    private final WaitingList waiters = new WaitingList();

    /** In the order of their numbers. Replaced when one is added, because any thread may read it. */
    private volatile List<LocalSlot> slots = List.of();

    private long arrivals;
    private boolean placing;
    private boolean placeAgain;
    private boolean retired;
    private @Nullable CompletableFuture<Void> settled;

    /**
     * @param deadlocks finds deadlocks; empty if that is switched off
     * @param retire drops this queue; later waiters begin a new one
     */
    LocalQueue(TicketContext context, Optional<Deadlocks> deadlocks, String lockId, Consumer<LocalQueue> retire) {
        this.partition = new LockPartition(context, lockId);
        this.deadlocks = deadlocks;
        this.retire = retire;
    }

    String lockId() {
        return partition.lockId();
    }

    private Executor mailbox() {
        return partition.mailbox();
    }

    // Requests

    /**
     * Queues the waiter, or refuses it if it is soft and a thread of this process holds the lock, or waits for it, in a mode that
     * conflicts.
     *
     * @param elsewhere receives the waiter if this queue has been dropped in the meantime
     */
    void enter(TicketRequest waiter, Consumer<TicketRequest> elsewhere) {
        mailbox().execute(() -> {
            if (retired) {
                elsewhere.accept(waiter);
            } else if (waiter.hasGivenUp()) {
                waiter.cancelled();
                ended();
            } else if (slots.stream().anyMatch(LocalSlot::isLeft)) {
                waiter.failed(leftTaken());
            } else if (waiter.tries() && isBusy(waiter.mode())) {
                waiter.refused();
            } else {
                waiter.queuedAs(arrivals++, this::obstacle);
                slots.stream().filter(slot -> slot.conflictsWith(waiter.mode())).forEach(LocalSlot::contended);
                beginOrWait(waiter);
                checkForDeadlocks(waiter);
            }
        });
    }

    private boolean isBusy(LockMode mode) {
        return waiters.stream().anyMatch(waiter -> waiter.conflictsWith(mode))
                || slots.stream().anyMatch(slot -> slot.conflictsWith(mode));
    }

    /** Why the waiters of this queue do not have the lock yet. May be called from any thread. */
    private Optional<Obstacle> obstacle() {
        List<SlotState> states = slots.stream().map(LocalSlot::state).toList();
        return states.stream()
                .filter(SlotState.Held.class::isInstance)
                .<Obstacle>map(held -> new Obstacle.Taken(
                        Optional.of("another thread of this process"),
                        ((SlotState.Held) held).hold().age()))
                .findFirst()
                .or(() -> states.stream()
                        .filter(SlotState.Acquiring.class::isInstance)
                        .findFirst()
                        .flatMap(
                                state -> ((SlotState.Acquiring) state).attempt().obstacle()));
    }

    /**
     * The waiter gives up. If another thread may take its place, the attempt goes on for that one and keeps its ticket. A soft
     * attempt, and an attempt that no thread wants, is abandoned.
     */
    @Override
    public void leave(TicketRequest waiter) {
        mailbox().execute(() -> leaveNow(waiter));
    }

    @Override
    public void leaveNow(TicketRequest waiter) {
        if (waiters.remove(waiter)) {
            waiter.cancelled();
            goOn();
        } else {
            first(slot -> slot.isWantedBy(waiter)).ifPresent(slot -> {
                waiter.cancelled();
                slot.leave(waiter);
            });
        }
    }

    // Deadlocks

    private void checkForDeadlocks(TicketRequest waiter) {
        deadlocks
                .filter(search -> !waiter.tries())
                .ifPresent(search -> waiter.owner()
                        .ifPresent(owner -> search.detector()
                                .check(new WaiterCheck(new WaiterChecks(partition, search, this), waiter, owner))));
    }

    @Override
    public Map<TicketRequest, WaiterChecks.Place> places() {
        Map<TicketRequest, WaiterChecks.Place> places = new HashMap<>();
        Map<LockMode, WaiterChecks.Place> inside = new EnumMap<>(LockMode.class);
        waiters.forEachBehind((waiter, mode) -> places.put(waiter, inside.computeIfAbsent(mode, this::placeInside)));
        slots.forEach(slot -> slot.waiters()
                .forEach(waiter -> places.put(
                        waiter,
                        new WaiterChecks.Place(slot.attempt().flatMap(SlotAttempt::slot), true, waiter.mode()))));
        return places;
    }

    /**
     * A request that has no slot yet waits for the earlier ones that conflict with it, for all that these wait for, and for the slots
     * that are in their way. All of these wait for what is ahead of the first of the slots.
     *
     * @param inside the least mode that conflicts with what the request and the earlier ones wait for
     */
    private WaiterChecks.Place placeInside(LockMode inside) {
        List<LocalSlot> ahead =
                slots.stream().filter(slot -> slot.waitsPlainlyAgainst(inside)).toList();
        return new WaiterChecks.Place(
                attempts(ahead)
                        .flatMap(attempt -> attempt.slot().stream())
                        .filter(slot -> slot.row().ticket() > 0)
                        .min(Comparator.comparing(OwnRow::row, Bakery.TICKET_ORDER)),
                false,
                attempts(ahead).map(SlotAttempt::mode).reduce(inside, LockMode::leastCovering));
    }

    private static Stream<SlotAttempt> attempts(List<LocalSlot> slots) {
        return slots.stream().flatMap(slot -> slot.attempt().stream());
    }

    /**
     * A notice from another session (notices, section 3).
     *
     * @param own this process's session, to which it was sent
     * @param from the sender's session
     * @param elsewhere runs instead if this queue has been dropped in the meantime
     */
    void received(OwnSession own, UUID from, Notice notice, Runnable elsewhere) {
        mailbox().execute(() -> {
            if (retired) {
                elsewhere.run();
            } else {
                new IncomingNotices(partition, this).received(own, from, notice);
            }
        });
    }

    /** A session of this process is lost: its grants are lost, and its waiters begin again under a new session. */
    void sessionLost(OwnSession session, String reason) {
        mailbox().execute(() -> {
            beforeOthersBegin(() -> {
                slots.forEach(slot -> slot.sessionLost(session, reason));
                slots.forEach(slot -> slot.giveWay(waiters::hasOneBefore));
            });
            goOn();
            ended();
        });
    }

    /**
     * Takes the lock away from its holders: their grants are lost, and the slot is given up. Does nothing unless this process
     * holds the lock by exactly this attempt.
     */
    void breakHold(OwnSession session, long attempt, String reason) {
        mailbox().execute(() -> slots.forEach(slot -> slot.breakHold(session, attempt, reason)));
    }

    /** Writes the slots again that are about to expire. */
    void refreshIfDue() {
        mailbox().execute(() -> slots.forEach(LocalSlot::refreshIfDue));
    }

    /** Completes when this queue has ended, or leaves slots behind: then no slot of it is left to release. */
    CompletionStage<Void> settled() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        mailbox().execute(() -> {
            settled = done;
            slots.forEach(LocalSlot::giveUpUnused);
            settleIfOver();
        });
        return done;
    }

    // What slots ask

    @Override
    public Optional<TicketRequest> next(LockMode mode, LocalSlot slot) {
        Optional<TicketRequest> next =
                waiters.first(mode).filter(waiter -> others(slot).noneMatch(other -> other.waitsAgainst(mode)));
        next.ifPresent(waiters::remove);
        return next;
    }

    /** It waits for no request of the process: what it needs is held already in part, and others may wait for that. */
    @Override
    public void beginConversion(TicketRequest waiter) {
        waiter.converted()
                .filter(handle -> !waiter.tries())
                .ifPresent(handle -> slots.stream()
                        .filter(slot -> slot.conflictsWith(waiter.mode()))
                        .forEach(slot -> slot.contendedBy(handle)));
        beforeOthersBegin(() -> {
            LocalSlot slot = first(LocalSlot::isBeingReleased)
                    .or(() -> first(LocalSlot::isFree))
                    .orElseGet(this::newSlot);
            waiter.queuedAs(arrivals++, () -> slot.attempt().flatMap(SlotAttempt::obstacle));
            slot.begin(waiter);
            others(slot).forEach(other -> other.giveUpUnusedAgainst(waiter.mode()));
        });
        goOn();
        checkForDeadlocks(waiter);
    }

    @Override
    public void end(TicketRequest conversion) {
        first(slot -> slot.isWantedBy(conversion)).ifPresent(slot -> slot.leave(conversion));
    }

    /** That is a step of its own: what becomes of this slot is decided before. */
    @Override
    public void modeLowered(Slot row) {
        partition.facts().modeSeen(row.id(), row.attempt(), row.mode());
        mailbox().execute(() -> notifyAttempts(attempt -> attempt.modeReceived(row.id(), row.attempt(), row.mode())));
    }

    @Override
    public void sharersGone() {
        if (slots.size() > 1) {
            mailbox().execute(() -> slots.forEach(LocalSlot::sharersGone));
        }
    }

    @Override
    public void putBack(Collection<TicketRequest> begun) {
        waiters.putBack(begun);
    }

    @Override
    public void failLongWaiting(Throwable cause) {
        TicketContext context = partition.context();
        long since =
                context.ticker().nanos() - context.sessionSettings().lease().toNanos();
        waiters.removeAll(waiter -> waiter.arrivedAt() - since <= 0).forEach(waiter -> waiter.failed(cause));
    }

    @Override
    public void failAll() {
        waiters.removeAll(waiter -> true).forEach(waiter -> waiter.failed(leftTaken()));
    }

    private IllegalStateException leftTaken() {
        return new IllegalStateException("Lock '" + lockId()
                + "' was not granted: the application shuts down, and the lock stays taken (holdAtLeast)");
    }

    @Override
    public boolean isWanted(LocalSlot slot) {
        return slot.state()
                .liveSlot()
                .map(live -> live.row().mode())
                .filter(mode -> isWanted(mode, others(slot)))
                .isPresent();
    }

    private boolean isWanted(LockMode mode, Stream<LocalSlot> others) {
        return waiters.stream().anyMatch(waiter -> waiter.conflictsWith(mode))
                || others.anyMatch(other -> other.waitsAgainst(mode));
    }

    @Override
    public boolean isWantedByOthers(LocalSlot slot, TicketHandle handle) {
        return isWanted(slot.held().need(handle), others(slot).filter(other -> !other.converts(handle)));
    }

    @Override
    public List<LocalSlot> slots(TicketHandle handle) {
        return handle.slots().rows().stream()
                .map(row -> slot(row))
                .filter(slot -> slot.hold().filter(hold -> hold.has(handle)).isPresent())
                .toList();
    }

    @Override
    public LocalSlot slot(OwnRow row) {
        return slots.get(row.row().id().number());
    }

    @Override
    public Optional<Deadlocks> deadlocks() {
        return deadlocks;
    }

    @Override
    public boolean isSettling() {
        return settled != null;
    }

    @Override
    public void drew(Slot row) {
        if (slots.size() > 1) {
            mailbox()
                    .execute(() ->
                            notifyAttempts(attempt -> attempt.ticketReceived(row.id(), row.attempt(), row.ticket())));
        }
    }

    /** The others may get the lock by it. That is a step of its own: what becomes of this slot is decided before. */
    @Override
    public void over(Fact fact) {
        if (slots.size() > 1) {
            partition.facts().add(fact);
            mailbox().execute(() -> notifyAttempts(attempt -> attempt.factsReceived(false)));
        }
    }

    @Override
    public void ended() {
        if (waiters.isEmpty() && slots.stream().allMatch(LocalSlot::isFree) && !retired) {
            retired = true;
            retire.accept(this);
        }
        settleIfOver();
    }

    private void settleIfOver() {
        if (settled != null && (retired || slots.stream().allMatch(slot -> slot.isFree() || slot.isLeft()))) {
            settled.complete(null);
        }
    }

    private Stream<LocalSlot> others(LocalSlot slot) {
        return slots.stream().filter(other -> other != slot);
    }

    // What notices ask

    @Override
    public Optional<LocalSlot> slot(int number) {
        return number < slots.size() ? Optional.of(slots.get(number)) : Optional.empty();
    }

    @Override
    public void notifyAttempts(Function<SlotAttempt, Optional<SlotAttempt.Outcome>> what) {
        slots.forEach(slot -> slot.notifyAttempt(what));
    }

    // Beginning

    /** The same as to add it to those that wait, and go on. */
    private void beginOrWait(TicketRequest waiter) {
        if (waiters.isEmpty() && mayBegin(waiter.mode())) {
            begin(waiter);
        } else {
            waiters.add(waiter);
            goOn();
        }
    }

    @Override
    public void goOn() {
        if (placing) {
            placeAgain = true;
            return;
        }
        do {
            placeAgain = false;
            beforeOthersBegin(() -> waiters.begin(waiter -> mayBegin(waiter.mode()), this::begin));
        } while (placeAgain);
    }

    /** A request that may begin because of this change begins when the change is complete. */
    private void beforeOthersBegin(Runnable change) {
        placing = true;
        try {
            change.run();
        } finally {
            placing = false;
        }
    }

    /** Whether no earlier thread that conflicts has yet to find its place in the queue of all processes. */
    private boolean mayBegin(LockMode mode) {
        return slots.stream().noneMatch(slot -> slot.choosesAgainst(mode) || slot.isHandedOverIn(mode));
    }

    private void begin(TicketRequest waiter) {
        Optional<LocalSlot> shared = shared(waiter);
        if (shared.isPresent()) {
            shared.get().share(waiter);
        } else {
            LocalSlot slot = slotFor(waiter.mode());
            others(slot).forEach(other -> other.giveUpUnusedAgainst(waiter.mode()));
            slot.begin(waiter);
        }
    }

    /**
     * One that is held, unless the handle of one of its users is in a mode that conflicts with this thread; else one that waits. None
     * while one waits that conflicts with this thread.
     */
    private Optional<LocalSlot> shared(TicketRequest waiter) {
        if (slots.stream().anyMatch(slot -> slot.waitsAgainst(waiter.mode()))) {
            return Optional.empty();
        }
        return first(slot -> slot.isHeldFor(waiter))
                .filter(shared -> slots.stream().noneMatch(slot -> slot.conflictsWith(waiter.mode())))
                .or(() -> first(slot -> slot.mayBeWaitedWithBy(waiter)));
    }

    /** One that is kept or promised in this mode, else one whose release W1 replaces, else one that is free. */
    private LocalSlot slotFor(LockMode mode) {
        return first(slot -> slot.isUnusedIn(mode))
                .or(() -> first(LocalSlot::isBeingReleased))
                .or(() -> first(slot -> slot.isUnusedAgainst(mode)))
                .or(() -> first(LocalSlot::isFree))
                .orElseGet(this::newSlot);
    }

    private Optional<LocalSlot> first(Predicate<LocalSlot> kind) {
        return slots.stream().filter(kind).findFirst();
    }

    private LocalSlot newSlot() {
        int number = slots.size();
        LocalSlot slot = new LocalSlot(new SlotNotices(partition, number), this);
        List<LocalSlot> more = new ArrayList<>(slots);
        more.add(slot);
        slots = List.copyOf(more);
        if (number > 0) {
            partition.facts().serveSeveralSlots();
        }
        return slot;
    }
}
