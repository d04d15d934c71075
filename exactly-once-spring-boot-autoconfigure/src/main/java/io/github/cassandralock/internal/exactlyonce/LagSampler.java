package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Reads regularly from the queues how many messages wait for each consumer, because threads that read meters must not wait for a
 * store. One thread, for as long as copies run.
 */
public class LagSampler implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LagSampler.class);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

    /** After so many intervals without a new look, the last one is obsolete: the store does not answer. */
    private static final int INTERVALS_UNTIL_UNKNOWN = 3;

    /** Looks take their time, too, however short the interval is. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(10);

    private record Consumer(String name, String queue) {}

    private record Lag(long messages, long lookedAt) {}

    private final List<Runner> runners;
    private final Duration interval;
    private final LongSupplier nanos;
    private final Map<Consumer, Lag> lags = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable ScheduledExecutorService> thread = new AtomicReference<>();

    /**
     * @param interval between the end of one look at all queues and the next one
     * @param nanos a monotonic clock
     */
    public LagSampler(List<Runner> runners, Duration interval, LongSupplier nanos) {
        this.runners = List.copyOf(runners);
        this.interval = interval;
        this.nanos = nanos;
    }

    /**
     * How many messages waited for a consumer at the last look. NaN if that is unknown, or was three intervals and 10 s ago, such
     * as while the store does not answer.
     */
    public double lag(Runner runner, MessageQueue queue) {
        Lag lag = lags.get(new Consumer(runner.name(), queue.getName()));
        return lag == null || isTooOld(lag) ? Double.NaN : lag.messages();
    }

    private boolean isTooOld(Lag lag) {
        Duration bound = interval.multipliedBy(INTERVALS_UNTIL_UNKNOWN).plus(LONGEST_LOOK);
        return nanos.getAsLong() - lag.lookedAt() > bound.toNanos();
    }

    @Override
    public int getPhase() {
        return CopyLifecycle.PHASE;
    }

    @Override
    public boolean isRunning() {
        return thread.get() != null;
    }

    @Override
    public void start() {
        ScheduledExecutorService fresh = Executors.newSingleThreadScheduledExecutor(body -> {
            Thread created = new Thread(body, "exactly-once-lag");
            created.setDaemon(true);
            return created;
        });
        if (thread.compareAndSet(null, fresh)) {
            fresh.scheduleWithFixedDelay(this::sample, 0, interval.toNanos(), TimeUnit.NANOSECONDS);
        } else {
            fresh.shutdown();
        }
    }

    /**
     * Interrupts the thread, and waits a little for its end: it only reads. If the caller is interrupted, it keeps the
     * interrupt.
     */
    @Override
    public void stop() {
        ScheduledExecutorService running = thread.getAndSet(null);
        if (running == null) {
            return;
        }
        running.shutdownNow();
        try {
            if (!running.awaitTermination(LONGEST_STOP.toNanos(), TimeUnit.NANOSECONDS)) {
                log.debug("The store ignores the interrupt; the thread ends when it answers");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample() {
        for (Runner runner : runners) {
            for (MessageQueue queue : runner.inputs()) {
                if (!sample(runner, queue)) {
                    return;
                }
            }
        }
    }

    /** Returns false if the thread was interrupted. */
    private boolean sample(Runner runner, MessageQueue queue) {
        Consumer consumer = new Consumer(runner.name(), queue.getName());
        try {
            Optional<Long> position = runner.position(queue);
            if (position.isPresent()) {
                long lookedAt = nanos.getAsLong();
                lags.put(consumer, new Lag(queue.readLagBehind(position.get()), lookedAt));
            } else {
                lags.remove(consumer);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (RuntimeException e) {
            lags.remove(consumer);
            log.debug("The lag of {} behind {} is not known", runner, queue, e);
            return true;
        }
    }
}
