package io.github.cassandralock.internal.thesis.time;

import io.github.cassandralock.internal.time.NextTimer;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thesis's time service. The cell GlobalTime holds the greatest local time of all replicas. Every process of the application is
 * a replica. "Now" is the value of the cell, which never decreases (thesis, section 5.4, listing 9, theorem 5).
 *
 * <p>The clock of a replica may be ahead when the replica ends. The value then does not change until the clocks of others have
 * reached it. The values that one process returns still grow strictly, so its own threads stay in order. Thread-safe.
 */
public final class GlobalTime implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(GlobalTime.class);
    private static final Duration UPDATE_INTERVAL = Duration.ofMillis(500);

    private final GlobalTimeStore cell;
    private final WallClock clock;
    private final NextTimer nextUpdate;
    private final AtomicLong handedOut = new AtomicLong();

    private GlobalTime(GlobalTimeStore cell, WallClock clock, Timers timers) {
        this.cell = cell;
        this.clock = clock;
        this.nextUpdate = new NextTimer(timers);
    }

    /** Starts to update the cell every 500 ms until closed. */
    public static GlobalTime start(GlobalTimeStore cell, WallClock clock, Timers timers) {
        GlobalTime time = new GlobalTime(cell, clock, timers);
        time.updateRepeatedly();
        return time;
    }

    /** Returns microseconds, higher than all values that this object has returned before. */
    public CompletionStage<Long> now() {
        return cell.read()
                .thenCompose(seen -> seen.isPresent() ? CompletableFuture.completedFuture(seen) : firstValue())
                .thenApply(seen -> handedOut.updateAndGet(last -> Math.max(last + 1, seen.orElse(0))));
    }

    private CompletionStage<OptionalLong> firstValue() {
        return tryUpdate().thenCompose(done -> cell.read());
    }

    /** Listing 9, TryUpdateGlobalTime. A write that fails is not repeated: the next update writes a higher value. */
    private CompletionStage<Void> tryUpdate() {
        long localTime = clock.readMicros();
        return cell.read().thenCompose(globalTime -> {
            if (globalTime.isPresent() && localTime <= globalTime.getAsLong()) {
                return CompletableFuture.completedFuture(null);
            }
            return cell.write(localTime).thenAccept(outcome -> {});
        });
    }

    private void updateRepeatedly() {
        tryUpdate().whenComplete((done, failure) -> {
            if (failure != null) {
                log.debug("GlobalTime could not be updated; trying again in {}", UPDATE_INTERVAL, failure);
            }
            nextUpdate.after(UPDATE_INTERVAL).thenRun(this::updateRepeatedly);
        });
    }

    @Override
    public void close() {
        nextUpdate.close();
    }
}
