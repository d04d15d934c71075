package io.github.cassandralock.internal.ticket.lock;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.ticket.handle.TicketHandle;
import io.github.cassandralock.internal.ticket.handle.TicketRequest;
import io.github.cassandralock.internal.ticket.process.TicketContext;
import io.github.cassandralock.internal.ticket.process.TicketSettings;
import io.github.cassandralock.internal.ticket.slot.LockAccess;
import io.github.cassandralock.internal.ticket.slot.SlotHold;
import io.github.cassandralock.internal.ticket.slot.SlotState;
import io.github.cassandralock.internal.ticket.table.LockPartition;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives all events of one lock in this process, and runs them one after the other. It exists while a thread requests or holds
 * the lock, or while one of its slots is being released. Thread-safe.
 */
public final class LockActor implements Executor, LockEvents {

    /**
     * What all actors of a process share.
     *
     * @param deadlocks finds deadlocks; empty if the search is switched off
     * @param retire drops an actor; later requests begin with a new one
     */
    public record Environment(TicketContext context, Optional<Deadlocks> deadlocks, Consumer<LockActor> retire) {}

    private final Mailbox tasks = new Mailbox();
    private final LocalState state;

    /** Null when the actor has retired. Only events change this field; any thread may read it. */
    private volatile @Nullable Environment environment;

    public LockActor(Environment environment, String lockId) {
        this.environment = environment;
        this.state = new LocalState(new LockPartition(environment.context(), lockId, this), this);
    }

    /**
     * Runs an event. Steps of attempts are events as well. After all decisions of an event, requests that wait may begin. Then
     * each slot that is still vacant is settled, which may allow other requests to begin.
     */
    @Override
    public void execute(Runnable event) {
        tasks.execute(() -> {
            try {
                event.run();
            } finally {
                endEvent();
            }
        });
    }

    private void endEvent() {
        Placement placement = new Placement(state);
        do {
            placement.assignWaiting();
        } while (state.settleOne());
        state.giveAnswers();
        retireIfUnused();
        state.completeClosing();
    }

    private void retireIfUnused() {
        Environment present = environment;
        if (present != null && state.isUnused()) {
            environment = null;
            present.retire().accept(this);
        }
    }

    private boolean isRetired() {
        return environment == null;
    }

    private Optional<Deadlocks> deadlocks() {
        return Optional.ofNullable(environment).flatMap(Environment::deadlocks);
    }

    @Override
    public LockPartition partition() {
        return state.partition();
    }

    public String lockId() {
        return partition().lockId();
    }

    // Requests

    /**
     * Places the request. Refuses a request that only tries if the lock is busy in this process ({@link LocalState#isBusy}).
     *
     * @param ifRetired receives the request if this actor has retired in the meantime
     */
    public void arrived(TicketRequest request, Consumer<TicketRequest> ifRetired) {
        execute(() -> {
            if (isRetired()) {
                ifRetired.accept(request);
            } else if (request.hasGivenUp()) {
                request.cancel();
            } else if (state.any(SlotState::isLeftBehind)) {
                request.fail(state.leftTaken());
            } else if (request.tries() && state.isBusy(request)) {
                request.refuse();
            } else {
                request.queuedAs(state.nextArrival(), state::obstacle);
                if (!hasPermitLeft(request)) {
                    state.slots().stream()
                            .filter(slot -> slot.state().conflictsWith(request.mode()))
                            .forEach(LocalSlot::contended);
                }
                new Placement(state).place(request);
                if (request.tries()) {
                    refuseIfItDoesNotBegin(request);
                }
                checkForDeadlocks(request);
            }
        });
    }

    /** Whether the request may get a permit without a wait, as far as this process shows. */
    private boolean hasPermitLeft(TicketRequest request) {
        return request.permits() > 1 && state.inUse(request) < request.permits();
    }

    /** Requests of a process begin one after the other: one that only tries waits for that, but not for long. */
    private void refuseIfItDoesNotBegin(TicketRequest request) {
        if (state.isWaiting(request)) {
            partition()
                    .context()
                    .timers()
                    .after(TicketSettings.TRY_WINDOW)
                    .whenCompleteAsync((done, noTimers) -> state.refuseIfWaiting(request), this);
        }
    }

    private void checkForDeadlocks(TicketRequest request) {
        deadlocks()
                .filter(search -> !request.tries())
                .ifPresent(search -> request.owner()
                        .ifPresent(owner -> search.detector()
                                .check(new CheckedRequest(new CheckedRequests(state, search), request, owner))));
    }

    @Override
    public void conversionAcquired(TicketRequest conversion, int slot, SlotHold hold) {
        new Conversions(state).acquired(conversion, state.slots().get(slot), hold);
    }

    @Override
    public void lost(List<TicketHandle> handles, LockLoss loss) {
        new HandleEnds(state).lost(handles, loss);
    }

    @Override
    public void cancelled(TicketRequest request) {
        execute(() -> state.cancel(request));
    }

    // Handles

    @Override
    public void released(TicketHandle handle) {
        execute(() -> new HandleEnds(state).released(handle));
    }

    @Override
    public void leftBehind(TicketHandle handle, Duration atLeast) {
        execute(() -> new HandleEnds(state).leftBehind(handle, atLeast));
    }

    @Override
    public TicketRequest convert(
            TicketHandle handle, Grant grant, LockMode mode, boolean tries, Consumer<Runnable> closeValueThen) {
        deadlocks().ifPresent(search -> Conversions.requireOwner(handle, search, lockId()));
        TicketRequest conversion = TicketRequest.conversion(
                handle, grant, mode, tries, partition().context().ticker().nanos(), this::cancelled);
        execute(() -> {
            new Conversions(state).begin(conversion, handle, closeValueThen);
            if (conversion.hasMode()) {
                checkForDeadlocks(conversion);
            }
        });
        return conversion;
    }

    @Override
    public void contentionRequested(TicketHandle handle, CompletableFuture<Void> contended) {
        execute(() -> {
            handle.onContention(contended);
            state.slots(handle).forEach(slot -> slot.watch(handle, contended));
        });
    }

    @Override
    public boolean holdsAllSlots(TicketHandle handle) {
        return handle.areRowsValid()
                && state.slots(handle).size() == handle.slots().rows().size();
    }

    // What concerns the process

    /**
     * A notice from another session (notices, section 3).
     *
     * @param own this process's session, to which it was sent
     * @param from the sender's session
     * @param ifRetired runs instead if this actor has retired in the meantime
     */
    public void noticeReceived(OwnSession own, UUID from, Notice notice, Runnable ifRetired) {
        execute(() -> {
            if (isRetired()) {
                ifRetired.run();
            } else {
                new IncomingNotices(state).received(own, from, notice);
            }
        });
    }

    /** A session of this process is lost: its grants are lost, and its requests begin again under a new session. */
    public void sessionLost(OwnSession session, LockLoss loss) {
        execute(() -> {
            decideAll((present, access) -> present.sessionLost(session, loss, access));
            decideAll((present, access) -> present.restartedBehind(state.waiting()::hasOneBefore, access));
        });
    }

    /**
     * Takes the lock away from its holders. Their grants are lost, and the slot is released. Does nothing unless this process
     * holds the lock by exactly this attempt.
     */
    public void forceRelease(OwnSession session, long attempt, LockLoss loss) {
        execute(() -> decideAll((present, access) -> present.forceReleased(session, attempt, loss, access)));
    }

    private void decideAll(BiFunction<SlotState, LockAccess, SlotState> event) {
        state.slots().forEach(slot -> slot.decide(event));
    }

    /** Rewrites the rows that are about to expire. */
    public void refreshIfDue() {
        execute(() -> state.slots().forEach(LocalSlot::refreshIfDue));
    }

    /** Completes when no slot of this process is left to release. Slots of lost handles, and slots left behind, are not released. */
    public CompletionStage<Void> close() {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        execute(() -> state.close(closed));
        return closed;
    }
}
