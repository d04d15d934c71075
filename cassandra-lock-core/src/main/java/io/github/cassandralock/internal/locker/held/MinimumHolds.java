package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;

/** The locks of this process that stay taken for a minimum time, until they are released. Thread-safe. */
public final class MinimumHolds {

    /**
     * How long the end of the locker waits for locks with a minimum time. Platforms give a process more time to end. To wait is
     * exact, since a lock that is left behind is free only after another process has watched it.
     */
    public static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Ticker ticker;
    private final Timers timers;
    /** By lock id; a lock has several if its holders have compatible modes. */
    private final Grouped<String, MinimumHold> present = new Grouped<>();

    public MinimumHolds(Ticker ticker, Timers timers) {
        this.ticker = ticker;
        this.timers = timers;
    }

    /**
     * A grant whose lock stays taken for the minimum time of the request from now on. Returns the given grant if there is no such
     * time.
     */
    Grant of(LockRequest request, Grant grant) {
        if (request.getHoldAtLeast().isZero()) {
            return grant;
        }
        MinimumHold hold = new MinimumHold(
                grant, request.getHoldAtLeast(), ticker, timers, over -> present.remove(request.getLockId(), over));
        present.add(request.getLockId(), hold);
        return hold;
    }

    /** Releases locks whose time has passed before their timers have run. A call that only tries must not be refused then. */
    public void releaseIfDue(String lockId) {
        present.get(lockId).forEach(MinimumHold::releaseIfDue);
    }

    public int size() {
        return present.all().size();
    }

    /** Declares all leases lost, so that no lock stays taken. */
    public void abandonAll(LockLoss loss) {
        present.all().forEach(hold -> hold.abandonLease(loss));
    }

    /**
     * Called when the process ends, and its holders have released everything. Locks that stay taken for longer than this are left
     * behind, a bounded number at a time. The longest time comes first, because it may keep all locks of the process taken.
     *
     * @return completes, never exceptionally, when all locks are released or left behind
     */
    public CompletableFuture<Void> endWithin(Duration longest) {
        BoundedOperations leaving = new BoundedOperations();
        CompletableFuture<?>[] ended = present.all().stream()
                .sorted(Comparator.comparingLong(MinimumHold::until).reversed())
                .map(hold -> hold.endWithin(longest, leaving::add))
                .toArray(CompletableFuture<?>[]::new);
        leaving.begin();
        return CompletableFuture.allOf(ended);
    }
}
