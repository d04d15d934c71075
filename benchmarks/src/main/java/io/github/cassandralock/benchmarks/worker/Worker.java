package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries out orders, one after the other, until there are no more. It does not outlive the process that orders: the end of
 * the input is the end of the worker. A failure ends it as well.
 */
public final class Worker implements AutoCloseable {

    private static final int KEEPING_THREADS = 32;
    private static final Duration LONGEST_END = Duration.ofSeconds(30);

    private final int number;
    private final Lines lines = new Lines();
    private final Bookkeeping bookkeeping = Bookkeeping.ofThisProcess();
    private final Map<Algorithm, List<Contender>> contenders = new EnumMap<>(Algorithm.class);
    private @Nullable Ongoing ongoing;

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
        if (order instanceof Order.Begin begin) {
            List<Contender> all = contenders(begin.algorithm());
            ongoing = new Ongoing(begin, all.subList(0, begin.work().contenders()), number);
            return Answer.NOTHING;
        }
        if (order instanceof Order.Granted) {
            return Answer.of(ongoing().granted());
        }
        if (order instanceof Order.Count count) {
            ongoing().count(count.part());
            return Answer.NOTHING;
        }
        if (order instanceof Order.Await) {
            return Answer.of(ongoing().await());
        }
        if (order instanceof Order.Write) {
            return new Answer(0, ongoing().write().toString());
        }
        if (order instanceof Order.Keep keep) {
            return keep(keep);
        }
        return Answer.of(usedHeap());
    }

    private Ongoing ongoing() {
        if (ongoing == null) {
            throw new IllegalStateException("No work has begun");
        }
        return ongoing;
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
            present.add(bookkeeping.open(order.algorithm(), order.address(), present));
        }
        return Answer.NOTHING;
    }

    private List<Contender> contenders(Algorithm algorithm) {
        return contenders.getOrDefault(algorithm, List.of());
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
        return Answer.of(requests);
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
