package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.text.RepeatedWarning;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Warns of calls that have waited for a few leases for a lock that their own process holds, once of each call: the holder may wait for the
 * thread that calls, which is seen nowhere else. Looks once in each lease, while the process waits for locks or holds any. Thread-safe.
 */
final class LongWaits {

    private static final int LEASES = 3;

    private final Duration lease;
    private final Ticker ticker;
    private final RepeatedLook looks;
    private final RepeatedWarning warning;
    private final Set<Acquisition> waiting;
    private final Set<LockHandle> held;

    /** The calls that waited when it was looked last. Only the timer's task uses it. */
    private Map<Object, Seen> seen = Map.of();

    /**
     * One call that waits.
     *
     * @param call an {@link Acquisition} or a {@link LockConversion}
     * @param caller as messages name it
     * @param converted the handle that is converted; null if none is
     * @param since on the ticker; of a conversion, when it was first seen
     */
    private record Wait(
            Object call,
            String lockId,
            LockMode mode,
            String caller,
            @Nullable LockHandle converted,
            long since) {}

    /** @param told whether it was warned of the call */
    private record Seen(long since, boolean told) {}

    /**
     * @param waiting calls of the process, which change meanwhile
     * @param held locks of the process, which change meanwhile
     */
    LongWaits(
            Duration lease,
            Ticker ticker,
            Timers timers,
            RepeatedWarning warning,
            Set<Acquisition> waiting,
            Set<LockHandle> held) {
        this.lease = lease;
        this.ticker = ticker;
        this.looks = new RepeatedLook(timers, lease, () -> !waiting.isEmpty() || !held.isEmpty(), this::look);
        this.warning = warning;
        this.waiting = waiting;
        this.held = held;
    }

    /** A call for a lock begins. */
    void begin() {
        looks.begin();
    }

    private void look() {
        List<Wait> waits = waits();
        long before = ticker.nanos() - lease.multipliedBy(LEASES).toNanos();
        Set<String> locks = waits.stream()
                .filter(wait -> wait.since() - before <= 0)
                .map(Wait::lockId)
                .collect(Collectors.toSet());
        Map<String, List<LockHandle>> holders = held.stream()
                .filter(lock -> locks.contains(lock.getLockId()) && lock.isHeld())
                .collect(Collectors.groupingBy(LockHandle::getLockId));
        Map<Object, Seen> now = new HashMap<>();
        for (Wait wait : waits) {
            boolean told = seen.getOrDefault(wait.call(), new Seen(wait.since(), false))
                    .told();
            Optional<LockHandle> holder = told || wait.since() - before > 0
                    ? Optional.empty()
                    : holder(wait, holders.getOrDefault(wait.lockId(), List.of()));
            holder.ifPresent(lock -> warn(wait, lock));
            now.put(wait.call(), new Seen(wait.since(), told || holder.isPresent()));
        }
        seen = now;
    }

    private List<Wait> waits() {
        List<Wait> waits = new ArrayList<>();
        long now = ticker.nanos();
        for (Acquisition call : waiting) {
            waits.add(new Wait(
                    call,
                    call.lockId(),
                    call.request().mode(),
                    "thread '" + call.caller().thread() + "'",
                    null,
                    now - call.waited().toNanos()));
        }
        for (LockHandle lock : held) {
            lock.conversion()
                    .ifPresent(conversion -> waits.add(new Wait(
                            conversion,
                            lock.getLockId(),
                            lock.mode(),
                            "a conversion of the lock that thread '" + lock.thread() + "' took",
                            lock,
                            seen.getOrDefault(conversion, new Seen(now, false)).since())));
        }
        return waits;
    }

    /** One in whose mode the lock keeps the call out; else one behind which others wait that do. */
    private static Optional<LockHandle> holder(Wait wait, List<LockHandle> holders) {
        return holders.stream()
                .filter(lock -> lock != wait.converted())
                .min(Comparator.<LockHandle, Boolean>comparing(
                                lock -> lock.mode().isCompatibleWith(wait.mode()))
                        .thenComparing(LockHandle::grantedAt));
    }

    private void warn(Wait wait, LockHandle lock) {
        long now = ticker.nanos();
        String holder = "thread '" + lock.thread() + "'";
        warning.warn("Lock '" + wait.lockId() + "': " + wait.caller() + " has waited for "
                + DurationText.of(Duration.ofNanos(now - wait.since())) + " while " + holder
                + " of the same process holds the lock in mode " + lock.mode() + ", for "
                + DurationText.of(Duration.ofNanos(now - lock.grantedAt())) + " now. If " + holder
                + " waits for work of the one that waits here (a parallel stream, a future, an executor), neither ever goes on,"
                + " and the search for deadlocks does not find that. Pass the RemoteLock on instead of asking again, do not wait"
                + " for other threads under the lock, or call with a time-out");
    }
}
