package io.github.cassandralock.internal.simulation;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/** A few processors that run tasks, first come, first served: with more tasks, each one takes longer. */
final class SimulatedProcessors implements Executor {

    private final SimulatedTime time;
    private final RandomGenerator random;
    private final long mean;

    /** When each is free again. */
    private final PriorityQueue<Long> free = new PriorityQueue<>();

    /** @param mean how long a task takes; how long each does is exponentially distributed */
    SimulatedProcessors(SimulatedTime time, RandomGenerator random, int count, Duration mean) {
        this.time = time;
        this.random = random;
        this.mean = mean.toNanos();
        for (int processor = 0; processor < count; processor++) {
            free.add(0L);
        }
    }

    /** @param done runs when a processor has finished the task */
    @Override
    public void execute(Runnable done) {
        long begins = Math.max(free.remove(), time.now());
        long ends = begins + (long) (mean * random.nextExponential());
        free.add(ends);
        time.at(Duration.ofNanos(ends - time.now()), done);
    }
}
