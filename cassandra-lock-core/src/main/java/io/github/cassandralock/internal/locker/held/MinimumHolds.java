package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The locks of this process that stay taken for a minimum time, until they are released. Thread-safe. */
public final class MinimumHolds {

    /**
     * How long the end of the locker waits for locks that are still to stay taken. Within the time that platforms give a process
     * to end, and the exact way: a lock that is left behind is free only after another process has watched it.
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

    /** A grant whose lock stays taken for the minimum time of the request from now on; the grant itself if there is none. */
    Grant of(LockRequest request, Grant grant) {
        if (request.holdAtLeast().isZero()) {
            return grant;
        }
        MinimumHold hold = new MinimumHold(grant, request.holdAtLeast(), ticker, timers);
        present.add(request.lockId(), hold);
        hold.ended().thenRun(() -> present.remove(request.lockId(), hold));
        return hold;
    }

    /** The time may have passed although its timer has not run yet: a caller that only tries must not be refused then. */
    public void releaseIfDue(String lockId) {
        present.get(lockId).forEach(MinimumHold::releaseIfDue);
    }

    public int size() {
        return present.all().size();
    }

    /** All leases are lost: no lock stays taken any more. */
    public void abandonAll(String reason) {
        present.all().forEach(hold -> hold.abandonLease(reason));
    }

    /**
     * The process ends, and its holders have released everything. Locks that stay taken for longer than this are left behind.
     *
     * @return completes, never exceptionally, when all locks are released or left behind
     */
    public CompletableFuture<Void> endWithin(Duration longest) {
        return CompletableFuture.allOf(present.all().stream()
                .map(hold -> hold.endWithin(longest).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new));
    }
}
