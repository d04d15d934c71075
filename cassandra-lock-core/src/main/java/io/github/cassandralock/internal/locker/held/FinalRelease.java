package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The release of all locks at the end of a locker, of which there may be very many. A bounded number of releases is under way at a
 * time. No release begins after a limit. Thread-safe; never blocks.
 */
final class FinalRelease {

    private static final Logger log = LoggerFactory.getLogger(FinalRelease.class);

    /** How many locks the log names. */
    private static final int NAMED = 10;

    private final List<GrantedLock> locks;
    private final Duration limit;
    private final BoundedOperations releases = new BoundedOperations();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    FinalRelease(List<GrantedLock> locks, Duration limit) {
        this.locks = locks;
        this.limit = limit;
    }

    /**
     * Declares all locks lost and closes them, which is quick, and then begins to release them. Completes, never exceptionally, when
     * all are released, or at the limit. If the timers have ended, there is no limit.
     */
    CompletableFuture<Void> begin(LockLoss loss, Timers timers) {
        CompletableFuture<Void> timer = timers.afterOrFailed(limit);
        warnOf(loss);
        locks.forEach(lock -> lock.abandon(loss));
        List<Runnable> reports = new ArrayList<>();
        List<CompletableFuture<Void>> released = locks.stream()
                .map(lock -> lock.releaseAtTheEnd(releases::add, reports::add))
                .toList();
        CompletableFuture.allOf(released.toArray(CompletableFuture<?>[]::new)).thenRun(() -> end.complete(null));
        timer.thenRun(() -> stop(released));
        end.thenRun(() -> timer.cancel(false));
        releases.begin();
        reports.forEach(Runnable::run);
        return end;
    }

    private void warnOf(LockLoss loss) {
        List<String> held = locks.stream()
                .filter(GrantedLock::isHeld)
                .map(lock -> "'" + lock.lockId() + "'")
                .toList();
        if (!held.isEmpty()) {
            log.warn(
                    "{} locks are lost, because {}: {}{}",
                    held.size(),
                    loss.text(),
                    held.stream().limit(NAMED).collect(Collectors.joining(", ")),
                    held.size() > NAMED ? " and others" : "");
        }
    }

    private void stop(List<CompletableFuture<Void>> released) {
        long left = released.stream().filter(release -> !release.isDone()).count();
        releases.cancelWaiting();
        if (left > 0) {
            log.warn(
                    "At shutdown, {} of {} locks were not released within {}; they are free after their lease at the latest."
                            + " Cassandra is slow, or the process holds very many locks",
                    left,
                    released.size(),
                    DurationText.of(limit));
        }
        end.complete(null);
    }
}
