package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockListener;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.internal.inspect.LocalInspection;
import io.github.cassandralock.internal.inspect.LocalLock;
import io.github.cassandralock.internal.inspect.LocalLocks;
import io.github.cassandralock.internal.inspect.LockFigures;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.locker.call.AcquireCall;
import io.github.cassandralock.internal.locker.call.CallContext;
import io.github.cassandralock.internal.locker.call.GroupCall;
import io.github.cassandralock.internal.locker.call.PendingCall;
import io.github.cassandralock.internal.locker.call.WaitingCalls;
import io.github.cassandralock.internal.locker.call.Waits;
import io.github.cassandralock.internal.locker.held.AbandonedLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.held.Caller;
import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.locker.held.GrantedLocks;
import io.github.cassandralock.internal.locker.held.MinimumHolds;
import io.github.cassandralock.internal.locker.held.ThreadIds;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallObservers;
import io.github.cassandralock.internal.locker.observe.CallObservers.ObservedCall;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.locker.observe.ListenerCalls;
import io.github.cassandralock.internal.locker.observe.LockerWarnings;
import io.github.cassandralock.internal.locker.path.PathNodes;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The {@link RemoteLocker} over any {@link LockAlgorithm}. Owns the algorithm and the threads that run callbacks; {@link #close()}
 * ends both.
 */
public class AlgorithmLocker implements RemoteLocker, LocalInspection, AutoCloseable {

    private static final Comparator<LocalLock> LONGEST_FIRST =
            Comparator.comparing(LocalLock::age).reversed();

    private final LockAlgorithm algorithm;
    private final CallObservers observers;
    private final CallContext calls;
    private final GrantedLocks locks;
    private final MinimumHolds minimumHolds;
    private final AbandonedLocks abandoned;
    private final WaitingCalls waiting;
    private final PathNodes pathNodes;
    private final RequestChecks checks;
    private final LockHandle.Context handleContext;
    private final LockerShutdown shutdown;
    private volatile ThreadIds threadIds = new ThreadIds();

    /**
     * Creates a locker with threads of its own. Only the log observes its calls. Abandoned locks are logged.
     *
     * @param lease of the locks. It limits waits for a release, a value or a token, and sets how often calls and locks are checked
     * @param timers for time-outs, minimum and longest holds, and repeated checks
     */
    public AlgorithmLocker(
            LockAlgorithm algorithm, Duration lease, Ticker ticker, Timers timers, List<LockListener> listeners) {
        this(
                algorithm,
                lease,
                ticker,
                timers,
                listeners,
                () -> CallObserver.NONE,
                CallbackThreads.create(),
                Optional::empty,
                AbandonedPolicy.WARN);
    }

    /**
     * Creates a locker.
     *
     * @param lease of the locks. It limits waits for a release, a value or a token, and sets how often calls and locks are checked
     * @param timers for time-outs, minimum and longest holds, and repeated checks
     * @param observer returns who observes the next call, on the thread of its caller
     * @param threads end with the locker
     * @param duty why the calling thread must not wait, besides the timers. It completes the sentence "it is …", and is empty if
     *     the thread may wait
     * @param policy what happens to locks whose owner has gone
     */
    public AlgorithmLocker(
            LockAlgorithm algorithm,
            Duration lease,
            Ticker ticker,
            Timers timers,
            List<LockListener> listeners,
            Supplier<CallObserver> observer,
            CallbackThreads threads,
            Supplier<Optional<String>> duty,
            AbandonedPolicy policy) {
        LockerWarnings warnings = LockerWarnings.with(timers);
        Waits waits = new Waits(duty, timers);
        this.algorithm = algorithm;
        this.observers = new CallObservers(observer, ticker, warnings.observerFailed());
        this.calls = new CallContext(lease, ticker, timers, threads, warnings, waits);
        this.minimumHolds = new MinimumHolds(ticker, timers);
        this.locks = new GrantedLocks(
                lease,
                ticker,
                timers,
                threads,
                warnings,
                new ListenerCalls(listeners, threads.listener(), warnings.listenerFailed()),
                minimumHolds);
        this.abandoned = new AbandonedLocks(policy, lease, ticker, timers, locks.held());
        this.waiting = new WaitingCalls(lease, ticker, timers, locks.held());
        this.pathNodes = new PathNodes(ticker);
        this.checks = new RequestChecks(algorithm, locks, waits);
        this.handleContext = new LockHandle.Context(checks, waiting, calls);
        this.shutdown = new LockerShutdown(algorithm, locks, minimumHolds, waiting, pathNodes, threads);
    }

    /** The name of the algorithm, for messages. */
    @Override
    public String toString() {
        return "RemoteLocker[" + algorithm.getName() + "]";
    }

    public String algorithm() {
        return algorithm.getName();
    }

    /** Whether the algorithm can hold locks in this mode. A request in another mode is refused at once. */
    public boolean supports(LockMode mode) {
        return checks.supports(mode);
    }

    /** Whether its locks may have several permits. A request with permits is refused at once if not. */
    public boolean supportsPermits() {
        return algorithm.supportsPermits();
    }

    /** Whether the algorithm's locks have values. Only such locks can record periods. */
    public boolean keepsValues() {
        return algorithm.keepsValues();
    }

    /** How many calls wait for a lock now. */
    public int waitingCalls() {
        return (int) waiting.forLocks().count();
    }

    /** How many locks are held now, including those that are lost and not closed. */
    public int heldLocks() {
        return locks.held().size();
    }

    /** The outcomes of calls and locks since the start. */
    public LockFigures figures() {
        return locks.figures();
    }

    @Override
    public RemoteLock getLock(LockRequest request) {
        return await(request, true, PendingCall.FOREVER).orElseThrow();
    }

    @Override
    public RemoteLock getLock(LockRequest request, Duration timeout) {
        return await(request, true, timeout).orElseThrow();
    }

    @Override
    public Optional<RemoteLock> tryGetLock(LockRequest request) {
        return await(request, false, PendingCall.FOREVER);
    }

    @Override
    public Optional<RemoteLock> tryGetLock(LockRequest request, Duration timeout) {
        return PendingCall.emptyIfLate(() -> await(request, true, timeout));
    }

    private Optional<RemoteLock> await(LockRequest request, boolean waits, Duration timeout) {
        checks.check(request);
        checks.requireMayWait(request, waits ? "getLockAsync" : "tryGetLockAsync");
        checks.checkTimeout(request, timeout);
        AcquireCall call = begin(request, Caller.blocking(request, threadIds), waits, lock -> {});
        return handle(call, call.await(timeout, timeout));
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request) {
        return future(request, true, PendingCall.FOREVER, Optional::orElseThrow, null);
    }

    @Override
    public CompletableFuture<RemoteLock> getLockAsync(LockRequest request, Duration timeout) {
        return future(request, true, timeout, Optional::orElseThrow, null);
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request) {
        return future(request, false, PendingCall.FOREVER, Function.identity(), null);
    }

    @Override
    public CompletableFuture<Optional<RemoteLock>> tryGetLockAsync(LockRequest request, Duration timeout) {
        return future(request, true, timeout, Function.identity(), Optional.empty());
    }

    private <T> CompletableFuture<T> future(
            LockRequest request,
            boolean waits,
            Duration timeout,
            Function<Optional<RemoteLock>, T> result,
            @Nullable T late) {
        checks.check(request);
        checks.checkTimeout(request, timeout);
        AcquireCall call = begin(request, Caller.asynchronous(request, threadIds), waits, lock -> {});
        return call.future(timeout, lock -> result.apply(handle(call, lock)), late);
    }

    /** Creates the caller's handle, after the last check. */
    private Optional<RemoteLock> handle(AcquireCall call, Optional<GrantedLock> granted) {
        return granted.map(locks::deliver).map(lock -> {
            LockHandle handle = new LockHandle(lock, handleContext, null);
            abandoned.delivered(handle, List.of(lock), call.callSite());
            return handle;
        });
    }

    @Override
    public RemoteLocks getLocks(MultiLockRequest requests) {
        return await(requests, true, PendingCall.FOREVER).orElseThrow();
    }

    @Override
    public RemoteLocks getLocks(MultiLockRequest requests, Duration timeout) {
        return await(requests, true, timeout).orElseThrow();
    }

    @Override
    public Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests) {
        return await(requests, false, PendingCall.FOREVER);
    }

    @Override
    public Optional<RemoteLocks> tryGetLocks(MultiLockRequest requests, Duration timeout) {
        return PendingCall.emptyIfLate(() -> await(requests, true, timeout));
    }

    private Optional<RemoteLocks> await(MultiLockRequest requests, boolean waits, Duration timeout) {
        checks.check(requests);
        LockRequest first = requests.getRequests().get(0);
        checks.requireMayWait(first, waits ? "getLocksAsync" : "tryGetLocksAsync");
        checks.checkTimeout(first, timeout);
        return group(requests, Caller.blocking(first, threadIds), waits, timeout)
                .await()
                .map(this::handles);
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests) {
        return future(requests, true, PendingCall.FOREVER, Optional::orElseThrow, null);
    }

    @Override
    public CompletableFuture<RemoteLocks> getLocksAsync(MultiLockRequest requests, Duration timeout) {
        return future(requests, true, timeout, Optional::orElseThrow, null);
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests) {
        return future(requests, false, PendingCall.FOREVER, Function.identity(), null);
    }

    @Override
    public CompletableFuture<Optional<RemoteLocks>> tryGetLocksAsync(MultiLockRequest requests, Duration timeout) {
        return future(requests, true, timeout, Function.identity(), Optional.empty());
    }

    private <T> CompletableFuture<T> future(
            MultiLockRequest requests,
            boolean waits,
            Duration timeout,
            Function<Optional<RemoteLocks>, T> result,
            @Nullable T late) {
        checks.check(requests);
        LockRequest first = requests.getRequests().get(0);
        checks.checkTimeout(first, timeout);
        return group(requests, Caller.asynchronous(first, threadIds), waits, timeout)
                .future(granted -> result.apply(granted.map(this::handles)), late);
    }

    /** All locks are requested in the name of the calling thread, even if that happens on other threads. */
    private GroupCall group(MultiLockRequest requests, Caller caller, boolean waits, Duration timeout) {
        if (waits) {
            requests.getRequests().forEach(request -> refuseWaitingForOneself(request, caller));
        }
        CallObserver.Context context =
                observers.context(requests.getRequests().get(0).getLockId());
        return new GroupCall(
                requests,
                waits,
                timeout,
                request -> observers.within(
                        context,
                        request.getLockId(),
                        () -> begin(request, caller.next(threadIds), waits, GrantedLock::markAwaitingGroup)),
                locks,
                calls);
    }

    private RemoteLocks handles(List<GrantedLock> granted) {
        AbandonedLocks.Leash leash = new AbandonedLocks.Leash();
        abandoned.delivered(leash, granted, abandoned.callSite());
        return new LockGroup(
                granted.stream()
                        .map(lock -> new LockHandle(lock, handleContext, leash))
                        .toList(),
                calls);
    }

    private void refuseWaitingForOneself(LockRequest request, Caller caller) {
        caller.owner().ifPresent(owner -> checks.refuseWaitingForOneself(request, owner));
    }

    private AcquireCall begin(LockRequest request, Caller caller, boolean waits, Consumer<GrantedLock> beforeAnswer) {
        if (waits) {
            refuseWaitingForOneself(request, caller);
        } else {
            minimumHolds.releaseIfDue(request.getLockId());
        }
        ObservedCall observed = observers.requested(request, caller.threadId(), waits);
        Attempt attempt;
        try {
            attempt = attempt(request, caller, waits);
        } catch (RuntimeException | Error e) {
            observed.failed(e);
            throw e;
        }
        AcquireCall call = new AcquireCall(request, caller, attempt, waits, observed, abandoned.callSite(), calls);
        waiting.add(call);
        call.decision().whenComplete((lock, failure) -> reportNotGranted(call, lock, failure));
        call.follow(locks, beforeAnswer);
        return call;
    }

    private void reportNotGranted(AcquireCall call, @Nullable Optional<GrantedLock> lock, @Nullable Throwable failure) {
        if (lock == null || lock.isEmpty()) {
            locks.notGranted(call.lockId(), call.waited(), failure);
        }
    }

    /** The algorithm gets a request for a node only if the owner does not hold the node yet. */
    private Attempt attempt(LockRequest request, Caller caller, boolean waits) {
        Optional<LockOwner> owner = ownerOfNode(request, caller);
        return owner.isPresent()
                ? pathNodes.use(owner.get(), request, waits, () -> acquire(request, caller, waits))
                : acquire(request, caller, waits);
    }

    private static Optional<LockOwner> ownerOfNode(LockRequest request, Caller caller) {
        return request.getPath().flatMap(path -> caller.owner());
    }

    private Attempt acquire(LockRequest request, Caller caller, boolean waits) {
        return algorithm.acquire(caller.acquireRequest(request, waits));
    }

    @Override
    public LocalLocks localLocks(Predicate<String> lockIds) {
        List<LocalLock> holding = longestFirst(locks.localLocks(), lockIds);
        List<LocalLock> asking = longestFirst(waiting.forLocks().map(AcquireCall::localLock), lockIds);
        return new LocalLocks(
                holding.stream().limit(LocalLocks.MOST).toList(),
                holding.size(),
                asking.stream().limit(LocalLocks.MOST).toList(),
                asking.size(),
                figures());
    }

    private static List<LocalLock> longestFirst(Stream<LocalLock> locks, Predicate<String> lockIds) {
        return locks.filter(lock -> lockIds.test(lock.lockId()))
                .sorted(LONGEST_FIRST)
                .toList();
    }

    /** Returns what reads locks of all processes, by an inspection that is empty if the algorithm has none. */
    public LockInspector inspector(Supplier<Optional<LockInspection>> inspection) {
        return new InspectedLocks(algorithm(), inspection, calls);
    }

    /** What the thread ids of this process begin with. */
    public String threadIdPrefix() {
        return threadIds.prefix();
    }

    /**
     * Called when the process was restored from a checkpoint. Another copy of the process may run, with equal locks and places in
     * queues. Therefore all locks are lost, and all waiting calls end with a request to call again. Does not block.
     */
    public void restored() {
        threadIds = new ThreadIds();
        shutdown.restored();
    }

    /**
     * Refuses new calls, ends all waiting calls, and reports a loss to every holder. Releases the locks, a bounded number at a
     * time, for ten seconds at most. Then ends the algorithm, and waits for that for ten seconds at most. A lock that is not
     * released by then is free after its lease.
     *
     * <p>Locks with a minimum time stay taken. The method waits for up to ten seconds until they may be released. Those that must
     * stay taken for longer are left behind, and free themselves.
     */
    @Override
    public void close() {
        close(MinimumHolds.LONGEST_WAIT);
    }

    /**
     * Closes the locker as {@link #close()} does.
     *
     * @param longestWait how long the method waits for locks with a minimum time
     */
    public void close(Duration longestWait) {
        shutdown.close(longestWait);
    }

    /** Closes the locker without waiting. Completes, never exceptionally, when everything has ended. */
    CompletionStage<Void> closeAsync() {
        return shutdown.closeAsync();
    }
}
