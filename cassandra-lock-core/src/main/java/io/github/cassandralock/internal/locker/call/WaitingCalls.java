package io.github.cassandralock.internal.locker.call;

import io.github.cassandralock.internal.locker.held.GrantedLock;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.RepeatedLook;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The waiting calls of a locker. Logs one warning for each call that has waited for three leases for a lock of its own process. The
 * holder may wait for the calling thread, which nothing else detects. The check runs once in each lease, while calls wait.
 * Thread-safe.
 */
public final class WaitingCalls {

    private static final int LEASES = 3;

    private final Duration longWait;
    private final Ticker ticker;
    private final RepeatedLook looks;
    private final RepeatedWarning warning;
    private final Set<GrantedLock> held;
    private final Set<PendingCall<?>> calls = ConcurrentHashMap.newKeySet();

    /** @param held locks of the process, which change meanwhile */
    public WaitingCalls(Duration lease, Ticker ticker, Timers timers, RepeatedWarning warning, Set<GrantedLock> held) {
        this.longWait = lease.multipliedBy(LEASES);
        this.ticker = ticker;
        this.looks = new RepeatedLook(timers, lease, () -> !calls.isEmpty(), this::look);
        this.warning = warning;
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
                .toList();
        if (late.isEmpty()) {
            return;
        }
        Map<String, List<GrantedLock>> holders =
                held.stream().filter(GrantedLock::isHeld).collect(Collectors.groupingBy(GrantedLock::lockId));
        for (PendingCall<?> call : late) {
            holder(call, holders.getOrDefault(call.lockId(), List.of())).ifPresent(lock -> warn(call, lock));
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

    private void warn(PendingCall<?> call, GrantedLock lock) {
        call.setWarned();
        String holder = "thread '" + lock.thread() + "'";
        warning.warn("Lock '" + call.lockId() + "': " + call.who() + " has waited for "
                + DurationText.of(call.waited()) + " while " + holder
                + " of the same process holds the lock in mode " + lock.mode() + ", for "
                + DurationText.of(Duration.ofNanos(ticker.nanos() - lock.grantedAt())) + " now. If " + holder
                + " waits for work of the one that waits here (a parallel stream, a future, an executor), neither ever goes on,"
                + " and the search for deadlocks does not find that. Pass the RemoteLock on instead of asking again, do not wait"
                + " for other threads under the lock, or call with a time-out");
    }
}
