package io.github.cassandralock.internal.exactlyonce;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Reads regularly from the queues how many messages wait for each consumer. Threads that read meters must not wait for a store.
 * Methods have another store than the other consumers, and a thread of their own. A store that does not answer therefore hides no
 * lag in the other store. The threads run for as long as copies run.
 */
public class LagSampler implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(LagSampler.class);

    private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

    /** After so many intervals without a new look, the last one is obsolete: the store does not answer. */
    private static final int INTERVALS_UNTIL_UNKNOWN = 3;

    /** When a copy has just started, its position is unknown. */
    private static final Duration LONGEST_UNTIL_FIRST = Duration.ofSeconds(1);

    /** Looks take their time, too, however short the interval is. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(10);

    private record Consumer(Runner runner, String queue) {}

    private record Lag(long messages, long lookedAt) {}

    private final Supplier<List<Runner>> runners;
    private final Duration interval;
    private final LongSupplier nanos;
    private final Map<Consumer, Lag> lags = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable ScheduledExecutorService> threads = new AtomicReference<>();

    /**
     * @param runners called at the start
     * @param interval between the end of one look at all queues and the next one
     * @param nanos a monotonic clock
     */
    public LagSampler(Supplier<List<Runner>> runners, Duration interval, LongSupplier nanos) {
        this.runners = runners;
        this.interval = interval;
        this.nanos = nanos;
    }

    /**
     * How many messages waited for a consumer at the last look. Empty if that is unknown, or if the look is older than three
     * intervals and 10 s. A look becomes so old while the store does not answer.
     */
    public Optional<Long> lag(Runner runner, String queue) {
        return Optional.ofNullable(lags.get(new Consumer(runner, queue)))
                .filter(lag -> !isTooOld(lag))
                .map(Lag::messages);
    }

    private boolean isTooOld(Lag lag) {
        Duration bound = interval.multipliedBy(INTERVALS_UNTIL_UNKNOWN).plus(LONGEST_LOOK);
        return nanos.getAsLong() - lag.lookedAt() > bound.toNanos();
    }

    /** Begins after the copies, and ends before them. */
    @Override
    public int getPhase() {
        return CopyLifecycle.PHASE + 1;
    }

    @Override
    public boolean isRunning() {
        return threads.get() != null;
    }

    @Override
    public void start() {
        Collection<List<Runner>> byStore = runners.get().stream()
                .collect(Collectors.partitioningBy(runner -> runner.kind() == Runner.Kind.METHOD))
                .values();
        ScheduledExecutorService fresh = Executors.newScheduledThreadPool(byStore.size(), body -> {
            Thread created = new Thread(body, "exactly-once-lag");
            created.setDaemon(true);
            return created;
        });
        if (!threads.compareAndSet(null, fresh)) {
            fresh.shutdown();
            return;
        }
        long first = Math.min(interval.toNanos(), LONGEST_UNTIL_FIRST.toNanos());
        byStore.stream()
                .filter(some -> !some.isEmpty())
                .forEach(some -> fresh.scheduleWithFixedDelay(
                        () -> sample(some), first, interval.toNanos(), TimeUnit.NANOSECONDS));
    }

    /**
     * Interrupts the threads, and waits a little for their ends: they only read. If the caller is interrupted, it keeps the
     * interrupt.
     */
    @Override
    public void stop() {
        ScheduledExecutorService running = threads.getAndSet(null);
        if (running == null) {
            return;
        }
        running.shutdownNow();
        try {
            if (!running.awaitTermination(LONGEST_STOP.toNanos(), TimeUnit.NANOSECONDS)) {
                log.debug("A store ignores the interrupt; the thread ends when it answers");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample(List<Runner> sampled) {
        try {
            for (Runner runner : sampled) {
                for (String queue : runner.inputs()) {
                    sample(runner, queue);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sample(Runner runner, String queue) throws InterruptedException {
        Consumer consumer = new Consumer(runner, queue);
        try {
            long lookedAt = nanos.getAsLong();
            runner.readLag(queue)
                    .ifPresentOrElse(lag -> lags.put(consumer, new Lag(lag, lookedAt)), () -> lags.remove(consumer));
        } catch (RuntimeException e) {
            lags.remove(consumer);
            log.debug("The lag of {} behind {} is unknown", runner, queue, e);
        }
    }
}
