package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockPath;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockRequests;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.inspect.LocalInspection;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.inspect.LockFigures;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link RemoteLocker} over any {@link LockAlgorithm}. Owns the algorithm and the threads that run callbacks;
 * {@link #close()} ends both.
 */
public class AlgorithmLocker implements RemoteLocker, LocalInspection, AutoCloseable {

    /*
     * Shutdown: close() sets "closed", then gives up all waiting calls, then releases all held locks, then ends the algorithm.
     * A call that enters "waiting" too late for that finds "closed" set before it reads the answer of the algorithm. A grant
     * that arrives later is found in one of three places: handle() finds "closed" set before it creates the handle; or
     * handle() has added the handle to "held" before close() reads "held", and close() releases it; or handle() finds
     * "closed" set after it has added the handle. In none of these cases does the caller get the lock. If a lock is released
     * after the answer and before the caller's thread sees the answer, handOut() finds that. Locks with a minimum time that no
     * caller got are discarded, not released: they need not stay taken.
     */

    private static final Logger log = LoggerFactory.getLogger(AlgorithmLocker.class);
    private static final Comparator<LocalLock> LONGEST_FIRST =
            Comparator.comparing(LocalLock::age).reversed();
    private static final Duration SHUTDOWN = Duration.ofSeconds(10);
    private static final String TIMER_THREAD = "a thread of the locks' timers";
    private static final String NO_PATHS =
            "A path needs other modes than EXCLUSIVE for what is above it: ask for locks by their ids";

    private final LockAlgorithm algorithm;
    private final Ticker ticker;
    private final Timers timers;
    private final CallbackThreads threads;
    private final ListenerCalls listeners;
    private final CallObservers observers;
    private final LockHandle.Context handleContext;
    private final Waits waits;
    private final AbandonedLocks abandoned;
    private final LockOwners lockOwners = new LockOwners();
    private final PathNodes pathNodes;
    private final MinimumHolds minimumHolds;
    private final LongWaits longWaits;
    private final Set<Acquisition> waiting = ConcurrentHashMap.newKeySet();
    private final Set<LockHandle> held = ConcurrentHashMap.newKeySet();
    private final Figures figures = new Figures();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile ThreadIds threadIds = new ThreadIds();

    /**
     * @param lease the lease of the locks: for messages, and as the limit of waits for a release or a fencing token
     * @param timers end asynchronous calls that have a time-out
     */
    public AlgorithmLocker(
            LockAlgorithm algorithm, Duration lease, Ticker ticker, Timers timers, List<LockListener> listeners) {
        this(algorithm, lease, ticker, timers, listeners, List.of());
    }

    /**
     * @param lease the lease of the locks: for messages, and as the limit of waits for a release or a fencing token
     * @param timers end asynchronous calls that have a time-out
     * @param observers follow every call on the threads of the callers
     */
    public AlgorithmLocker(
            LockAlgorithm algorithm,
            Duration lease,
            Ticker ticker,
            Timers timers,
            List<LockListener> listeners,
            List<CallObserver> observers) {
        this(algorithm, lease, ticker, timers, listeners, observers, ThreadDuties.NONE, AbandonedPolicy.WARN);
    }

    /**
     * @param lease the lease of the locks: for messages, and as the limit of waits for a release or a fencing token
     * @param timers end asynchronous calls that have a time-out
     * @param observers follow every call on the threads of the callers
     * @param duties threads that must not wait, besides those of the timers
     * @param abandoned what is done with locks whose owner has gone
     */
    public AlgorithmLocker(
            LockAlgorithm algorithm,
            Duration lease,
            Ticker ticker,
            Timers timers,
            List<LockListener> listeners,
            List<CallObserver> observers,
            ThreadDuties duties,
            AbandonedPolicy abandoned) {
        this(algorithm, lease, ticker, timers, listeners, observers, CallbackThreads.create(), duties, abandoned);
    }

    /** @param threads end with the locker */
    AlgorithmLocker(
            LockAlgorithm algorithm,
            Duration lease,
            Ticker ticker,
            Timers timers,
            List<LockListener> listeners,
            List<CallObserver> observers,
            CallbackThreads threads,
            ThreadDuties duties,
            AbandonedPolicy abandoned) {
        this.abandoned = new AbandonedLocks(abandoned, lease, ticker, timers, held);
        this.algorithm = algorithm;
        this.ticker = ticker;
        this.timers = timers;
        this.threads = threads;
        this.minimumHolds = new MinimumHolds(ticker, timers);
        this.pathNodes = new PathNodes(ticker);
        LockerWarnings warnings = LockerWarnings.with(timers);
        ThreadDuties renewals = () -> timers.areOnThisThread() ? Optional.of(TIMER_THREAD) : Optional.empty();
        this.waits = new Waits(duties.or(renewals));
        this.handleContext = new LockHandle.Context(
                lease,
                threads,
                warnings,
                waits,
                new LockConversions(timers, threads.callbacks(), lockOwners, this::requireSupport, waits),
                this::closed);
        this.listeners = new ListenerCalls(listeners, threads.listener(), warnings.listenerFailed());
        this.observers = CallObservers.with(observers, ticker, warnings.observerFailed());
        this.longWaits = new LongWaits(lease, ticker, timers, warnings.waitsForOwnProcess(), waiting, held);
    }

    /** Names the algorithm. */
    @Override
    public String toString() {
        return "RemoteLocker[" + algorithm.name() + "]";
    }

    /** The name of the algorithm. */
    public String algorithm() {
        return algorithm.name();
    }

    /** Whether the algorithm can hold locks in this mode. A request in another one is refused before anything is asked for. */
    public boolean supports(LockMode mode) {
        return mode == LockMode.EXCLUSIVE || algorithm.supports(mode);
    }

    /** How many calls wait for a lock now. */
    public int waitingCalls() {
        return waiting.size();
    }

    /** How many locks are held now; those that are lost and not closed are among them. */
    public int heldLocks() {
        return held.size();
    }

    /** How many calls have had which end, and how many locks, since the start. */
    public LockFigures figures() {
        return figures.now();
    }

    @Override
    public RemoteLock getLock(LockRequest request) {
        checkCall(request);
        requireMayWait(request, "getLockAsync");
        Acquisition acquisition = mandatory(request, Asking.blocking(request));
        return callersLock(acquisition, acquisition.await()).orElseThrow();
    }

    @Override
    public RemoteLock getLock(LockRequest request, Duration timeout) {
        checkCall(request);
        requireMayWait(request, "getLockAsync");
        checkTimeout(request.lockId(), timeout);
        Acquisition acquisition = mandatory(request, Asking.blocking(request));
        return callersLock(acquisition, acquisition.await(timeout)).orElseThrow();
    }

    @Override
    public Optional<RemoteLock> tryGetLock(LockRequest request) {
        checkCall(request);
        requireMayWait(request, "tryGetLockAsync");
        Acquisition acquisition = soft(request, Asking.blocking(request));
        return callersLock(acquisition, acquisition.await());
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request) {
        checkCall(request);
        return future(mandatory(request, Asking.later(request)), Optional::orElseThrow);
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request, Duration timeout) {
        checkCall(request);
        checkTimeout(request.lockId(), timeout);
        Acquisition acquisition = mandatory(request, Asking.later(request));
        limit(acquisition, timeout, timeout);
        return future(acquisition, Optional::orElseThrow);
    }

    /** How much of a time-out that begins now is left, never negative. */
    private Supplier<Duration> left(Duration timeout) {
        long startedAt = ticker.nanos();
        return () -> {
            Duration left = timeout.minusNanos(ticker.nanos() - startedAt);
            return left.isNegative() ? Duration.ZERO : left;
        };
    }

    /** @param timeout the whole time of the call, for messages */
    private void limit(Acquisition acquisition, Duration left, Duration timeout) {
        CompletableFuture<Void> timer = timers.after(left);
        timer.thenRun(() -> acquisition.timeOut(timeout));
        acquisition.answer().whenComplete((lock, failure) -> timer.cancel(false));
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request) {
        checkCall(request);
        return future(soft(request, Asking.later(request)), Function.identity());
    }

    @Override
    public RemoteLocks getLocks(LockRequests requests) {
        checkCall(requests);
        requireMayWait(requests.inOrder().get(0), "getLocksAsync");
        return group(
                mandatory(requests, Asking::blocking).await(Acquisition::await).orElseThrow());
    }

    @Override
    public RemoteLocks getLocks(LockRequests requests, Duration timeout) {
        checkCall(requests);
        requireMayWait(requests.inOrder().get(0), "getLocksAsync");
        checkTimeout(requests.inOrder().get(0).lockId(), timeout);
        Supplier<Duration> left = left(timeout);
        return group(mandatory(requests, Asking::blocking)
                .await(acquisition -> acquisition.await(left.get(), timeout))
                .orElseThrow());
    }

    @Override
    public Optional<RemoteLocks> tryGetLocks(LockRequests requests) {
        checkCall(requests);
        requireMayWait(requests.inOrder().get(0), "tryGetLocksAsync");
        return soft(requests, Asking::blocking).await(Acquisition::await).map(this::group);
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(LockRequests requests) {
        checkCall(requests);
        return mandatory(requests, Asking::later)
                .begin(threads, awaiting(requests), acquisition -> {}, locks -> group(locks.orElseThrow()));
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(LockRequests requests, Duration timeout) {
        checkCall(requests);
        checkTimeout(requests.inOrder().get(0).lockId(), timeout);
        Supplier<Duration> left = left(timeout);
        return mandatory(requests, Asking::later)
                .begin(
                        threads,
                        awaiting(requests),
                        acquisition -> limit(acquisition, left.get(), timeout),
                        locks -> group(locks.orElseThrow()));
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(LockRequests requests) {
        checkCall(requests);
        return soft(requests, Asking::later)
                .begin(threads, awaiting(requests), acquisition -> {}, locks -> locks.map(this::group));
    }

    private GroupAcquisition mandatory(LockRequests requests, Function<LockRequest, Asking> how) {
        Asking asking = how.apply(requests.inOrder().get(0));
        requests.inOrder().forEach(request -> refuseWaitingForOneself(request, asking));
        return group(requests, asking, (request, same) -> ask(request, same, true));
    }

    private GroupAcquisition soft(LockRequests requests, Function<LockRequest, Asking> how) {
        return group(requests, how.apply(requests.inOrder().get(0)), this::soft);
    }

    /** Also the locks that another thread asks for are asked for in the name of this one. */
    private GroupAcquisition group(
            LockRequests requests, Asking asking, BiFunction<LockRequest, Asking, Acquisition> ask) {
        List<CallObserver.Context> contexts =
                observers.contexts(requests.inOrder().get(0).lockId());
        return new GroupAcquisition(
                requests,
                request -> observers.within(contexts, request.lockId(), () -> ask.apply(request, asking)),
                this::handOut);
    }

    private RemoteLocks group(List<LockHandle> locks) {
        AbandonedLocks.Leash leash = new AbandonedLocks.Leash();
        abandoned.handedOut(leash, locks, abandoned.here());
        return new LockGroup(
                locks.stream().map(lock -> new CallersLock(lock, leash)).toList(), handleContext);
    }

    private void refuseWaitingForOneself(LockRequest request, Asking asking) {
        asking.owner().ifPresent(owner -> lockOwners.refuseWaitingForOneself(request, owner));
    }

    private <T> CompletableFuture<T> future(Acquisition acquisition, Function<Optional<RemoteLock>, T> result) {
        CallFuture<T> future = CallFuture.thenGivenUp(acquisition::renounce, awaiting(acquisition.lockId()));
        acquisition
                .answer()
                .whenCompleteAsync(
                        (lock, failure) -> complete(future, acquisition, lock, failure, result), threads.callbacks());
        return future;
    }

    /** Is asked before a thread waits for the future of an asynchronous call. */
    private Runnable awaiting(String lockId) {
        return () -> waits.requireAllowed(() -> "The answer for lock '" + lockId + "' is not waited for", "thenAccept");
    }

    private Runnable awaiting(LockRequests requests) {
        return awaiting(requests.inOrder().get(0).lockId());
    }

    /** A caller that has ended the future by itself gives the lock back by itself. */
    private <T> void complete(
            CallFuture<T> future,
            Acquisition acquisition,
            @Nullable Optional<LockHandle> lock,
            @Nullable Throwable failure,
            Function<Optional<RemoteLock>, T> result) {
        if (future.isDone()) {
            acquisition.call().cancelled();
            return;
        }
        if (lock == null) {
            future.fail(acquisition.explain(failure == null ? new IllegalStateException("no answer") : failure));
            return;
        }
        try {
            future.answer(result.apply(callersLock(acquisition, acquisition.told(lock))));
        } catch (RuntimeException | Error e) {
            future.fail(acquisition.explain(e));
        }
    }

    private void checkCall(@Nullable LockRequest request) {
        if (request == null) {
            throw new IllegalArgumentException(
                    "The lock request is null; name the resource to lock, e.g. LockRequest.of(\"account:42\")");
        }
        if (request.path().flatMap(LockPath::parent).isPresent()) {
            throw new IllegalArgumentException("Lock '" + request.lockId()
                    + "' is a node of a path, and this call would not lock what is above it: use getLocks or"
                    + " tryGetLocks with LockRequests.ofPath");
        }
        checkEach(request);
    }

    /** What the caller gets, after the last check. */
    private Optional<RemoteLock> callersLock(Acquisition acquisition, Optional<LockHandle> granted) {
        return granted.map(this::handOut).map(lock -> {
            CallersLock callers = new CallersLock(lock, null);
            abandoned.handedOut(callers, List.of(lock), acquisition.takenAt());
            return callers;
        });
    }

    private void requireMayWait(LockRequest request, String instead) {
        waits.requireAllowed(() -> "Lock '" + request.lockId() + "' was not asked for", instead);
    }

    private void checkEach(LockRequest request) {
        if (closed.get()) {
            throw closedWhile("asking for", request.lockId());
        }
        if (request.path().isPresent()) {
            requireSupport(request.lockId(), request.mode(), NO_PATHS);
        } else {
            requireSupport(request.lockId(), request.mode());
        }
    }

    private void requireSupport(String lockId, LockMode mode) {
        requireSupport(lockId, mode, "Ask for it in mode EXCLUSIVE");
    }

    private void requireSupport(String lockId, LockMode mode, String advice) {
        if (!supports(mode)) {
            throw new UnsupportedOperationException("Lock '" + lockId + "' cannot be held in mode " + mode
                    + ": the algorithm '" + algorithm.name() + "' does not support that mode. " + advice
                    + ", or move all instances to the algorithm 'ticket', in the steps of docs/guide/moving.md");
        }
    }

    private void checkCall(@Nullable LockRequests requests) {
        if (requests == null) {
            throw new IllegalArgumentException("The request for several locks is null; name the resources to lock, e.g."
                    + " LockRequests.of(List.of(\"account:7\", \"account:42\"))");
        }
        requests.inOrder().forEach(this::checkEach);
    }

    private static IllegalStateException closedWhile(String doing, String lockId) {
        return new IllegalStateException("The RemoteLocker was closed while " + doing + " lock '" + lockId
                + "'; it is closed together with its application context. Take locks before that");
    }

    private static void checkTimeout(String lockId, @Nullable Duration timeout) {
        if (timeout == null || timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("The timeout " + timeout + " for lock '" + lockId
                    + "' is not more than zero; to ask without waiting, use tryGetLock");
        }
    }

    private Acquisition soft(LockRequest request, Asking asking) {
        minimumHolds.releaseIfDue(request.lockId());
        return ask(request, asking, false);
    }

    private Acquisition mandatory(LockRequest request, Asking asking) {
        refuseWaitingForOneself(request, asking);
        return ask(request, asking, true);
    }

    private Acquisition ask(LockRequest request, Asking asking, boolean waits) {
        Caller caller = asking.caller(threadIds);
        ObservedCall call = observers.asked(request, caller.threadId(), waits);
        Optional<LockOwner> ownerOfNode = ownerOfNode(request, caller);
        Supplier<Attempt> attempt = ownerOfNode.isPresent()
                ? () -> pathNodes.use(ownerOfNode.get(), request, waits, () -> attempt(request, caller, waits))
                : () -> attempt(request, caller, waits);
        return follow(request, caller, begin(call, attempt), call);
    }

    private Attempt attempt(LockRequest request, Caller caller, boolean waits) {
        return waits
                ? algorithm.acquire(request.lockId(), caller.threadId(), request.mode(), caller.owner())
                : algorithm.tryAcquire(request.lockId(), caller.threadId(), request.mode(), caller.owner());
    }

    /** Empty if it is not a node of a path, which is taken only if its owner does not hold it yet. */
    private static Optional<LockOwner> ownerOfNode(LockRequest request, Caller caller) {
        return request.path().flatMap(path -> caller.owner());
    }

    private static Attempt begin(ObservedCall call, Supplier<Attempt> attempt) {
        try {
            return attempt.get();
        } catch (RuntimeException | Error e) {
            call.failed(e);
            throw e;
        }
    }

    private Acquisition follow(LockRequest request, Caller caller, Attempt attempt, ObservedCall call) {
        String lockId = request.lockId();
        Acquisition acquisition = new Acquisition(request, caller, attempt, ticker, call, abandoned.here());
        waiting.add(acquisition);
        longWaits.begin();
        acquisition.answer().whenComplete((lock, failure) -> answered(acquisition, lock, failure));
        if (closed.get()) {
            acquisition.giveUp(closedWhile("waiting for", lockId));
        }
        acquisition.begin(grant -> handle(acquisition, grant));
        return acquisition;
    }

    private void answered(Acquisition acquisition, @Nullable Optional<LockHandle> lock, @Nullable Throwable failure) {
        waiting.remove(acquisition);
        String lockId = acquisition.lockId();
        if (failure != null) {
            figures.givenUp();
            listeners.tell(lockId, l -> l.onGivenUp(lockId, acquisition.waited(), failure));
        } else if (lock != null && lock.isEmpty()) {
            figures.refused();
            listeners.tell(lockId, l -> l.onRefused(lockId));
        }
    }

    private LockHandle handle(Acquisition acquisition, Grant granted) {
        String lockId = acquisition.lockId();
        if (closed.get()) {
            throw closedWhile("waiting for", lockId);
        }
        Grant grant = minimumHolds.of(acquisition.request(), granted);
        LockHandle lock = new LockHandle(
                acquisition.request(), acquisition.caller(), ticker.nanos(), grant, acquisition.call(), handleContext);
        held.add(lock);
        lock.whenLost(() -> lost(lock));
        if (closed.get()) {
            lock.discard();
            throw closedWhile("waiting for", lockId);
        }
        figures.handedOver();
        if (!listeners.isEmpty()) {
            tellListeners(lock, grant, acquisition.waited());
        }
        return lock;
    }

    private void closed(LockHandle lock) {
        held.remove(lock);
        lockOwners.remove(lock);
        figures.released();
    }

    /** Runs on a thread that renews leases. */
    private void lost(LockHandle lock) {
        figures.lost(closed.get());
        log.debug("Lock '{}': lost by {}", lock.getLockId(), lock.getThreadId());
    }

    private void tellListeners(LockHandle lock, Grant grant, Duration waited) {
        String lockId = lock.getLockId();
        String threadId = lock.getThreadId();
        listeners.tell(lockId, l -> l.onAcquired(lockId, threadId, waited));
        grant.lost().thenAccept(reason -> listeners.tell(lockId, l -> l.onLost(lockId, threadId, reason)));
        lock.whenClosed(loss -> {
            Duration heldFor = Duration.ofNanos(ticker.nanos() - lock.grantedAt());
            listeners.tell(lockId, l -> l.onReleased(lockId, threadId, heldFor));
        });
    }

    /**
     * The last check before a caller gets the lock: the process may have been paused since the grant.
     *
     * @throws IllegalStateException if the locker was closed meanwhile
     * @throws io.github.cassandralock.LockLostException if the lease was lost meanwhile
     */
    private LockHandle handOut(LockHandle lock) {
        if (!lock.isHeld()) {
            lock.discard();
            RuntimeException failure =
                    closed.get() ? closedWhile("waiting for", lock.getLockId()) : lock.lostException();
            lock.call().failed(failure);
            throw failure;
        }
        lockOwners.add(lock);
        lock.call().granted(lock);
        return lock;
    }

    @Override
    public LocalLocks localLocks() {
        List<LocalLock> holding =
                held.stream().map(this::localLock).sorted(LONGEST_FIRST).toList();
        List<LocalLock> asking = waiting.stream()
                .map(AlgorithmLocker::localLock)
                .sorted(LONGEST_FIRST)
                .toList();
        return new LocalLocks(
                holding.stream().limit(LocalLocks.MOST).toList(),
                holding.size(),
                asking.stream().limit(LocalLocks.MOST).toList(),
                asking.size(),
                figures());
    }

    private LocalLock localLock(LockHandle lock) {
        Duration age = Duration.ofNanos(ticker.nanos() - lock.grantedAt());
        return new LocalLock(lock.getLockId(), lock.mode(), lock.getThreadId(), lock.thread(), age, !lock.isHeld());
    }

    private static LocalLock localLock(Acquisition call) {
        return new LocalLock(
                call.lockId(),
                call.request().mode(),
                call.caller().threadId(),
                call.caller().thread(),
                call.waited(),
                false);
    }

    /** What the thread ids of this process begin with. */
    public String threadIdPrefix() {
        return threadIds.prefix();
    }

    /**
     * Called when the process was restored from a checkpoint. Another copy of the process may run, too, and would have the same
     * locks and places in queues. Therefore all locks are lost, and all waiting calls end with a request to ask again. Does
     * not block.
     */
    public void restored() {
        String reason = "the process was restored from a checkpoint";
        threadIds = new ThreadIds();
        waiting.forEach(acquisition -> acquisition.giveUp(new IllegalStateException("The call for lock '"
                + acquisition.lockId() + "' was given up, because " + reason + "; nothing is held, ask again")));
        held.forEach(lock -> lock.abandon(reason));
        pathNodes.lose(reason);
        minimumHolds.lose(reason);
        algorithm.renounce(reason);
    }

    /**
     * Refuses new calls, gives up all waiting calls, reports to every holder that its lock is lost, releases all locks in
     * parallel, and then ends the algorithm. Waits at most ten seconds for the releases and ten for the end of the algorithm.
     * A lock that could not be released by then is free after its lease.
     *
     * <p>Locks that have to stay taken for a minimum time stay taken. The method waits for up to ten seconds until they may be
     * released; those that have to stay taken for longer are left behind, so that they free themselves.
     */
    @Override
    public void close() {
        close(MinimumHolds.LONGEST_WAIT);
    }

    /** The same, with another longest wait for locks that have to stay taken. */
    public void close(Duration longestWait) {
        if (closed.compareAndSet(false, true)) {
            int locks = held.size();
            await(releaseAll(), SHUTDOWN, "the release of " + locks + " held locks");
            endMinimumHolds(longestWait);
            await(algorithm.closeAsync(), SHUTDOWN, "the end of the algorithm '" + algorithm.name() + "'");
            threads.shutdown();
        }
    }

    /** If the thread is interrupted while it waits, what is left to wait for is left behind, too. */
    private void endMinimumHolds(Duration longestWait) {
        int locks = minimumHolds.size();
        if (locks > 0) {
            log.info("At shutdown, {} locks stay taken because their requests say so (holdAtLeast)", locks);
            String what = "the release of " + locks + " locks with a minimum time";
            await(minimumHolds.endWithin(longestWait), longestWait.plus(SHUTDOWN), what);
            await(minimumHolds.endWithin(Duration.ZERO), SHUTDOWN, what);
        }
    }

    /** Does the same as {@link #close()}, but does not wait. Completes, never exceptionally, when everything has ended. */
    CompletionStage<Void> closeAsync() {
        return closed.compareAndSet(false, true)
                ? releaseAll()
                        .thenCompose(done -> minimumHolds.endWithin(MinimumHolds.LONGEST_WAIT))
                        .thenCompose(done -> algorithm.closeAsync())
                        .thenRun(threads::shutdown)
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Void> releaseAll() {
        waiting.forEach(acquisition -> acquisition.giveUp(closedWhile("waiting for", acquisition.lockId())));
        List<LockHandle> remaining = List.copyOf(held);
        remaining.forEach(lock -> lock.abandon("the application is shutting down"));
        return CompletableFuture.allOf(
                remaining.stream().map(LockHandle::releaseAtTheEnd).toArray(CompletableFuture<?>[]::new));
    }

    private static void await(CompletionStage<Void> end, Duration limit, String what) {
        try {
            end.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "At shutdown, {} was not done within {}; locks that are not released by then are free after their"
                            + " lease",
                    what,
                    DurationText.of(limit),
                    e);
        }
    }
}
