package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.LongLines;
import io.github.cassandralock.internal.time.RepeatedLook;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The waiting calls of a locker. Logs a warning if a call has waited for three leases for a lock that its own process holds. The
 * warning names each such lock. The holder may wait for the calling thread, which nothing else detects. The check runs once in
 * each lease, while calls wait, and reports each call once. Thread-safe.
 */
public final class WaitingCalls {

    private static final Logger log = LoggerFactory.getLogger(WaitingCalls.class);

    private static final int LEASES = 3;

    private final Duration longWait;
    private final Ticker ticker;
    private final RepeatedLook looks;
    private final Set<GrantedLock> held;
    private final Set<PendingCall<?>> calls = ConcurrentHashMap.newKeySet();

    /** @param held locks of the process, which change meanwhile */
    public WaitingCalls(Duration lease, Ticker ticker, Timers timers, Set<GrantedLock> held) {
        this.longWait = lease.multipliedBy(LEASES);
        this.ticker = ticker;
        this.looks = new RepeatedLook(timers, lease, () -> !calls.isEmpty(), this::look);
        this.held = held;
    }

    /** Adds a call until it has an answer. */
    public void add(PendingCall<?> call) {
        calls.add(call);
        looks.begin();
        call.decision().whenComplete((result, failure) -> calls.remove(call));
    }

    /** The calls for locks, without conversions. */
    public Stream<AcquireCall> forLocks() {
        return calls.stream().filter(AcquireCall.class::isInstance).map(AcquireCall.class::cast);
    }

    /**
     * Ends the calls for locks, the oldest first.
     *
     * @param reason supplies what the caller of each call receives
     */
    public void endForLocks(Function<AcquireCall, RuntimeException> reason) {
        forLocks().sorted(AcquireCall.OLDEST_FIRST).forEach(call -> call.end(reason.apply(call)));
    }

    private void look() {
        List<PendingCall<?>> late = calls.stream()
                .filter(call -> !call.isWarned() && call.waited().compareTo(longWait) >= 0)
                .sorted(Comparator.<PendingCall<?>>comparingLong(PendingCall::startedAt))
                .toList();
        if (late.isEmpty()) {
            return;
        }
        Map<String, List<GrantedLock>> holders =
                held.stream().filter(GrantedLock::isHeld).collect(Collectors.groupingBy(GrantedLock::lockId));
        Map<String, LongWait> longest = new LinkedHashMap<>();
        for (PendingCall<?> call : late) {
            holder(call, holders.getOrDefault(call.lockId(), List.of())).ifPresent(lock -> {
                call.setWarned();
                longest.putIfAbsent(call.lockId(), new LongWait(call, lock));
            });
        }
        warn(List.copyOf(longest.values()));
    }

    private record LongWait(PendingCall<?> call, GrantedLock lock) {

        String holder() {
            return "thread '" + lock.thread() + "'";
        }
    }

    /** A lock whose mode conflicts with the call. Otherwise a lock behind which others wait whose modes conflict. */
    private static Optional<GrantedLock> holder(PendingCall<?> call, List<GrantedLock> holders) {
        return holders.stream()
                .filter(lock -> !call.converts(lock))
                .min(Comparator.<GrantedLock, Boolean>comparing(
                                lock -> lock.mode().isCompatibleWith(call.mode()))
                        .thenComparing(GrantedLock::grantedAt));
    }

    /** @param waits the longest one for each lock, in order */
    private void warn(List<LongWait> waits) {
        waits.stream().limit(1).map(this::explained).forEach(log::warn);
        List<String> more = waits.stream()
                .skip(1)
                .map(wait -> "'" + wait.call().lockId() + "', which " + wait.holder() + " holds")
                .toList();
        LongLines.of(more)
                .forEach(line -> log.warn("More calls wait for long for locks that their own process holds: {}", line));
    }

    private String explained(LongWait wait) {
        PendingCall<?> call = wait.call();
        GrantedLock lock = wait.lock();
        return "Lock '" + call.lockId() + "': " + call.who() + " has waited for " + DurationText.of(call.waited())
                + " while " + wait.holder() + " of the same process holds the lock in mode " + lock.mode() + ", for "
                + DurationText.of(Duration.ofNanos(ticker.nanos() - lock.grantedAt())) + " now. If " + wait.holder()
                + " waits for work of the waiting call (a parallel stream, a future, an executor), both wait for ever."
                + " The search for deadlocks does not find that. Pass the RemoteLock on instead of requesting the lock"
                + " again; do not wait for other threads under the lock; or call with a time-out";
    }
}
