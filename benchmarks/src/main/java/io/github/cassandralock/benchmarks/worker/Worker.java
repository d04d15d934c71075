package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import io.github.cassandralock.testing.statistics.Grant;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Carries out orders, one after the other, until there are no more. It does not outlive the process that orders: the end of
 * the input is the end of the worker. What goes wrong ends it, too.
 */
public final class Worker implements AutoCloseable {

    private static final int KEEPING_THREADS = 32;
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private final int number;
    private final Lines lines = new Lines();
    private final Map<Algorithm, List<Contender>> contenders = new EnumMap<>(Algorithm.class);

    /** @param number names this process in its grants */
    public Worker(int number) {
        this.number = number;
    }

    /** Returns at the end of the orders. */
    public void work(BufferedReader orders, PrintStream answers) throws Exception {
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            answers.println(lines.write(carryOut(lines.read(line, Order.class))));
        }
    }

    private Answer carryOut(Order order) throws Exception {
        if (order instanceof Order.Connect connect) {
            return connect(connect);
        }
        if (order instanceof Order.Take take) {
            return take(take);
        }
        if (order instanceof Order.Keep keep) {
            return keep(keep);
        }
        return new Answer(List.of(), 0, usedHeap());
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private Answer connect(Order.Connect order) throws Exception {
        List<Contender> present = contenders.computeIfAbsent(order.algorithm(), algorithm -> new ArrayList<>());
        while (present.size() > order.contenders()) {
            present.remove(present.size() - 1).close();
        }
        while (present.size() < order.contenders()) {
            present.add(order.algorithm().open(order.address(), present));
        }
        return Answer.NOTHING;
    }

    private List<Contender> contenders(Algorithm algorithm) {
        return contenders.getOrDefault(algorithm, List.of());
    }

    private Answer take(Order.Take order) throws InterruptedException, ExecutionException {
        List<Contender> present =
                contenders(order.algorithm()).subList(0, order.work().contenders());
        ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();
        List<Callable<Long>> threads = new ArrayList<>();
        for (int contender = 0; contender < present.size(); contender++) {
            for (int thread = 0; thread < order.work().threads(); thread++) {
                threads.add(new Taking(
                        order, present.get(contender), number, contender + 1, random(contender, thread), grants));
            }
        }
        long before = sentBefore(ConcurrentTasks.runAll(threads), order.work().threads());
        return new Answer(List.copyOf(grants), requests(present) - before);
    }

    /** What the contenders had sent when the first thread of each began to count. */
    private static long sentBefore(List<Long> byThread, int threadsOfEach) {
        long sent = 0;
        for (int first = 0; first < byThread.size(); first += threadsOfEach) {
            sent += Collections.min(byThread.subList(first, first + threadsOfEach));
        }
        return sent;
    }

    /** Each thread chooses its locks in an order of its own, the same in every run. */
    private RandomGenerator random(int contender, int thread) {
        return new SplittableRandom(number * 1_000_003L + contender * 10_007L + thread);
    }

    private static long requests(List<Contender> contenders) {
        return contenders.stream().mapToLong(Contender::requests).sum();
    }

    private Answer keep(Order.Keep order) throws InterruptedException, ExecutionException {
        Contender contender = contenders(order.algorithm()).get(0);
        ConcurrentLinkedQueue<Contender.Hold> holds = new ConcurrentLinkedQueue<>();
        List<Callable<Void>> takings = new ArrayList<>();
        for (int lock = 0; lock < order.locks(); lock++) {
            String lockId = order.lockId() + "-" + lock;
            takings.add(() -> {
                holds.add(contender.acquire(lockId));
                return null;
            });
        }
        ConcurrentTasks.runAll(takings, KEEPING_THREADS);
        long requests = requestsDuring(contender, order.time());
        ConcurrentTasks.runAll(
                holds.stream()
                        .<Callable<Void>>map(hold -> () -> {
                            hold.release();
                            return null;
                        })
                        .toList(),
                KEEPING_THREADS);
        return new Answer(List.of(), requests);
    }

    private static long requestsDuring(Contender contender, Duration time) throws InterruptedException {
        long before = contender.requests();
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
        return contender.requests() - before;
    }

    /** Reads orders from standard input until it ends. Only answers go to standard output, whatever libraries print. */
    public static void run(int number) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        try (Worker worker = new Worker(number);
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            try {
                worker.work(orders, answers);
            } finally {
                endWithin(LONGEST_END);
            }
        }
    }

    /** Clients of servers that are gone may take for ever to close. */
    private static void endWithin(Duration time) {
        CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
                .execute(() -> Runtime.getRuntime().halt(1));
    }

    @Override
    public void close() throws IOException {
        for (List<Contender> present : contenders.values()) {
            for (int last = present.size() - 1; last >= 0; last--) {
                try {
                    present.get(last).close();
                } catch (Exception e) {
                    throw new IOException("A contender could not be closed", e);
                }
            }
        }
    }
}
