package io.github.cassandralock.internal.simulation;

import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.WallClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A process: a monotonic clock that drifts, a wall clock that may be wrong, timers, and an execution that can be paused or
 * killed. A message to a paused process waits; a message to a dead one is lost.
 */
public final class SimulatedProcess implements Ticker, Timers, WallClock {

    private final SimulatedTime time;
    private final double clockRate;
    private final long wallClockOffsetMicros;
    private final Deque<Runnable> inbox = new ArrayDeque<>();
    private @Nullable RandomGenerator pauses;
    private double pauseRate;
    private Duration longestPause = Duration.ZERO;
    private double distance = 1;
    private boolean paused;
    private boolean dead;

    /**
     * @param clockRate how fast its monotonic clock runs: 1.02 is two percent fast
     * @param wallClockOffset how far its wall clock is ahead
     */
    public SimulatedProcess(SimulatedTime time, double clockRate, Duration wallClockOffset) {
        this.time = time;
        this.clockRate = clockRate;
        this.wallClockOffsetMicros = wallClockOffset.toNanos() / 1_000;
    }

    @Override
    public long nanos() {
        return (long) (time.now() * clockRate);
    }

    @Override
    public long readMicros() {
        return 1_700_000_000_000_000L + time.now() / 1_000 + wallClockOffsetMicros;
    }

    @Override
    public CompletableFuture<Void> after(Duration delay) {
        CompletableFuture<Void> timer = new CompletableFuture<>();
        time.at((long) Math.ceil(delay.toNanos() / clockRate) + 1, () -> run(() -> timer.complete(null)));
        return timer;
    }

    /** Executes on this process, once it can. */
    public void run(Runnable action) {
        if (dead) {
            return;
        }
        if (!paused && pauses != null && pauses.nextDouble() < pauseRate) {
            pauseFor(Duration.ofNanos(pauses.nextLong(longestPause.toNanos() + 1)));
        }
        if (paused) {
            inbox.add(action);
        } else {
            action.run();
        }
    }

    /** From now on it pauses before some of the messages that reach it: that is, between any two steps. */
    public void pauseBetweenSteps(RandomGenerator random, double rate, Duration longest) {
        pauses = random;
        pauseRate = rate;
        longestPause = longest;
    }

    /** How far away from the replicas it is: 0 is the nearest, 1 the farthest possible. */
    double distance() {
        return distance;
    }

    void moveTo(double distance) {
        this.distance = distance;
    }

    public void pauseNoMore() {
        pauses = null;
    }

    public void pauseFor(Duration duration) {
        paused = true;
        time.at(duration, this::resume);
    }

    private void resume() {
        paused = false;
        while (!paused && !dead && !inbox.isEmpty()) {
            inbox.remove().run();
        }
    }

    public void kill() {
        dead = true;
        inbox.clear();
    }

    public boolean isRunning() {
        return !paused && !dead;
    }

    public boolean isDead() {
        return dead;
    }
}
