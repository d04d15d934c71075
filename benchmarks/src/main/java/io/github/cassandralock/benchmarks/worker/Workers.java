package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.testing.statistics.Grant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

    /** For each pair of contenders for one lock: each of them reads the rows of all. */
    private static final long ARRIVING_NANOS_FOR_PAIRS = TimeUnit.MICROSECONDS.toNanos(200);

    private static final Duration LONGEST_ORDER = Duration.ofHours(2);

    private final List<WorkerProcess> processes = new ArrayList<>();
    private final ExecutorService waiting;

    private Workers(int count) {
        waiting = Executors.newFixedThreadPool(count);
    }

    /**
     * Starts so many processes with this program.
     *
     * @param logs the directory of their logs
     */
    public static Workers start(int count, Program program, Path logs) {
        Workers workers = new Workers(count);
        for (int number = 1; number <= count; number++) {
            workers.processes.add(WorkerProcess.start(number, program, logs.resolve("worker-" + number + ".log")));
        }
        return workers;
    }

    /** Gives the first workers so many contenders each. The very first goes ahead, and may create tables. */
    public void connect(int count, Algorithm algorithm, String address, int contenders) {
        Order connect = new Order.Connect(algorithm, address, contenders);
        order(processes.subList(0, 1), connect);
        order(processes.subList(1, count), connect);
    }

    /** The first workers begin this work, each in the same way; it goes on until its counted part is over. */
    public void begin(int count, Algorithm algorithm, Work work) {
        long contenders = work.contendersOf(count);
        Duration arriving = Duration.ofNanos(contenders * contenders * ARRIVING_NANOS_FOR_PAIRS);
        order(processes.subList(0, count), new Order.Begin(algorithm, work, arriving));
    }

    /** How often these workers have got a lock since the work began. */
    public long granted(int count, Algorithm algorithm) {
        return sum(order(processes.subList(0, count), new Order.Granted(algorithm)));
    }

    /**
     * Begins the counted part of the work, which ends with it.
     *
     * @param time for how long at least
     * @param atLeast how often each thread takes a lock at least
     * @return when it began
     */
    public long count(int count, Algorithm algorithm, Duration time, int atLeast) {
        long from = System.nanoTime() + HEAD_START_NANOS;
        order(
                processes.subList(0, count),
                new Order.Count(algorithm, new Part(from, from + time.toNanos(), atLeast, true)));
        return from;
    }

    /** Awaits the end of the counted part, and returns how many requests were sent in it. */
    public long await(int count, Algorithm algorithm) {
        return sum(order(processes.subList(0, count), new Order.Await(algorithm)));
    }

    /** What the workers have got in the counted part, in the order of the workers. */
    public List<Grant> grants(int count, Algorithm algorithm) {
        List<Answer> answers = order(processes.subList(0, count), new Order.Write(algorithm));
        List<Grant> grants = new ArrayList<>();
        for (int process = 1; process <= count; process++) {
            grants.addAll(
                    read(Path.of(Objects.requireNonNull(answers.get(process - 1).file())), process));
        }
        return grants;
    }

    private static List<Grant> read(Path file, int process) {
        try {
            List<Grant> grants = Notes.read(file, process);
            Files.delete(file);
            return grants;
        } catch (IOException e) {
            throw new UncheckedIOException("The grants of worker process " + process + " cannot be read", e);
        }
    }

    /** Ends the work, of which nothing counts. */
    public void end(int count, Algorithm algorithm) {
        order(processes.subList(0, count), new Order.Count(algorithm, Part.end(System.nanoTime())));
        await(count, algorithm);
    }

    private static long sum(List<Answer> answers) {
        return answers.stream().mapToLong(Answer::number).sum();
    }

    /** The ids of the processes. */
    public List<Long> pids() {
        return processes.stream().map(WorkerProcess::pid).toList();
    }

    /**
     * Lets the first worker keep so many locks for that long.
     *
     * @return how many requests it sent meanwhile
     */
    public long keep(Algorithm algorithm, String lockId, int locks, Duration time) {
        return order(processes.subList(0, 1), new Order.Keep(algorithm, lockId, locks, time))
                .get(0)
                .number();
    }

    /** How many bytes of heap are in use in each of the first workers, after a garbage collection. */
    public List<Long> usedHeaps(int count, Algorithm algorithm) {
        return order(processes.subList(0, count), new Order.Weigh(algorithm)).stream()
                .map(Answer::number)
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
