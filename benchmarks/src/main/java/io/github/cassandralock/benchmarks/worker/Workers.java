package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.testing.statistics.Grant;
import io.github.cassandralock.testing.statistics.Turn;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Several worker processes that act at the same time. For one thread. */
public final class Workers implements AutoCloseable {

    /** All have their orders by then. */
    private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** So long after the start all that contend for one lock wait for it, and so much later for each of them... */
    private static final long QUEUED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long QUEUED_NANOS_FOR_EACH = TimeUnit.MILLISECONDS.toNanos(10);

    /** ... or for each pair, if that is more: each of them reads the rows of all. */
    private static final long QUEUED_NANOS_FOR_PAIRS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final Duration LONGEST_ORDER = Duration.ofHours(2);

    private final List<WorkerProcess> processes = new ArrayList<>();
    private final ExecutorService waiting;

    private Workers(int count) {
        waiting = Executors.newFixedThreadPool(count);
    }

    /**
     * Starts them.
     *
     * @param main the program's main class, which with these two arguments calls {@link Worker#run}: the argument, a number
     * @param environment variables besides this process's own
     * @param logs a directory for what they have to say
     */
    public static Workers start(int count, Class<?> main, String argument, Map<String, String> environment, Path logs) {
        Workers workers = new Workers(count);
        for (int number = 1; number <= count; number++) {
            workers.processes.add(WorkerProcess.start(
                    number, main, argument, environment, logs.resolve("worker-" + number + ".log")));
        }
        return workers;
    }

    /** Gives the first workers so many contenders each. The very first goes ahead, and may create tables. */
    public void connect(int count, Algorithm algorithm, String address, int contenders) {
        Order connect = new Order.Connect(algorithm, address, contenders);
        order(processes.subList(0, 1), connect);
        order(processes.subList(1, count), connect);
    }

    /** Lets the first workers do the same work at the same time, and awaits its end. */
    public Turn take(int count, Algorithm algorithm, Work work) {
        long startAt = System.nanoTime() + HEAD_START_NANOS;
        int contenders = work.contendersOf(count);
        long queuedAt = contenders == 1 ? startAt : startAt + queueing(contenders);
        List<Answer> answers = order(processes.subList(0, count), new Order.Take(algorithm, work, startAt, queuedAt));
        List<Grant> grants =
                answers.stream().flatMap(answer -> answer.grants().stream()).toList();
        return new Turn(
                Math.max(
                        startAt, grants.stream().mapToLong(Grant::askedAt).min().orElse(startAt)),
                grants,
                answers.stream().mapToLong(Answer::requests).sum());
    }

    private static long queueing(long contenders) {
        return QUEUED_NANOS + contenders * Math.max(QUEUED_NANOS_FOR_EACH, contenders * QUEUED_NANOS_FOR_PAIRS);
    }

    /**
     * Lets the first worker keep so many locks for that long.
     *
     * @return how many requests it sent meanwhile
     */
    public long keep(Algorithm algorithm, String lockId, int locks, Duration time) {
        return order(processes.subList(0, 1), new Order.Keep(algorithm, lockId, locks, time))
                .get(0)
                .requests();
    }

    /** How many bytes of heap are in use in each of the first workers, after a garbage collection. */
    public List<Long> usedHeaps(int count, Algorithm algorithm) {
        return order(processes.subList(0, count), new Order.Weigh(algorithm)).stream()
                .map(Answer::heap)
                .toList();
    }

    private List<Answer> order(List<WorkerProcess> to, Order order) {
        to.forEach(process -> process.order(order));
        List<CompletableFuture<Answer>> answers = to.stream()
                .map(process -> CompletableFuture.supplyAsync(process::await, waiting))
                .toList();
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new));
        answers.forEach(answer -> answer.exceptionally(failure -> {
            all.completeExceptionally(failure);
            return Answer.NOTHING;
        }));
        await(all, order);
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static void await(CompletableFuture<Void> all, Order order) {
        try {
            all.get(LONGEST_ORDER.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IllegalStateException death ? death : new CompletionException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("The workers did not end within " + LONGEST_ORDER + ": " + order, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted", e);
        }
    }

    @Override
    public void close() {
        processes.forEach(WorkerProcess::end);
        processes.forEach(WorkerProcess::close);
        waiting.shutdownNow();
    }
}
