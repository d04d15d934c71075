package io.github.cassandralock.benchmarks.limits;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import io.github.cassandralock.benchmarks.worker.Crew;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** A process with sessions, that holds locks, waits, or takes one lock after the other. It ends with its standard input. */
public final class LimitsWorker {

    private static final int AT_A_TIME = 100;

    private final CqlSession session;
    private final SplittableRandom random;
    private final List<StarterContender> applications = new ArrayList<>();
    private final List<RemoteLock> held = Collections.synchronizedList(new ArrayList<>());
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private @Nullable Soaking soaking;

    private LimitsWorker(int number, CqlSession session) {
        this.session = session;
        this.random = new SplittableRandom(System.nanoTime() * 31 + number);
    }

    /**
     * Carries out orders until there are no more.
     *
     * @param number of the process
     * @param cassandra where the nodes are
     */
    public static void run(int number, String cassandra) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        try (CqlSession session = CassandraAddress.parse(cassandra).connect();
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            LimitsWorker worker = new LimitsWorker(number, session);
            for (String line = orders.readLine(); line != null; line = orders.readLine()) {
                answers.println(Crew.ANSWER + worker.carryOut(StringUtils.delimitedListToStringArray(line, " ")));
            }
        }
    }

    /** Returns numbers, or nothing if there is nothing to report. */
    private String carryOut(String[] order) throws Exception {
        return switch (order[0]) {
            case "OPEN" -> open(Integer.parseInt(order[1]));
            case "HOLD" -> hold(order[1], Integer.parseInt(order[2]));
            case "WAIT" -> await(order[1], Integer.parseInt(order[2]));
            case "SERVED" -> served();
            case "TOGETHER" -> together(order[1], Integer.parseInt(order[2]));
            case "CHURN" -> churn(order[1], Integer.parseInt(order[2]), Integer.parseInt(order[3]));
            case "SOAK" -> soak();
            case "USED" -> used();
            case "REST" -> rest();
            case "SENT" -> sent(Duration.parse(order[1]));
            case "HEAP" -> Long.toString(usedHeap());
            case "CLOSE" -> close();
            default -> throw new IOException("no order: " + order[0]);
        };
    }

    private String open(int sessions) {
        long began = System.nanoTime();
        while (applications.size() < sessions) {
            applications.add(new StarterContender(List.of(), session));
        }
        return Long.toString(System.nanoTime() - began);
    }

    private RemoteLocker locker() {
        return applications.get(0).locker();
    }

    private String hold(String prefix, int locks) throws InterruptedException {
        return atATime(locks, 0, lock -> locker().getLockAsync(prefix + lock).thenAccept(held::add));
    }

    private String churn(String prefix, int ids, int perSecond) throws InterruptedException {
        return atATime(
                ids,
                perSecond,
                id -> locker().getLockAsync(prefix + new UUID(random.nextLong(), random.nextLong()))
                        .thenCompose(RemoteLock::closeAsync));
    }

    private interface Use {

        CompletableFuture<?> begin(int number);
    }

    /**
     * Begins uses one after the other, a hundred at a time.
     *
     * @param perSecond how many; 0 for as many as there can be
     */
    private static String atATime(int count, int perSecond, Use use) throws InterruptedException {
        Semaphore free = new Semaphore(AT_A_TIME);
        AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
        long began = System.nanoTime();
        for (int number = 0; number < count; number++) {
            if (perSecond > 0) {
                long due = began + TimeUnit.SECONDS.toNanos(number) / perSecond;
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
            }
            free.acquire();
            use.begin(number).whenComplete((done, failure) -> {
                failed.compareAndSet(null, failure);
                free.release();
            });
        }
        free.acquire(AT_A_TIME);
        long nanos = System.nanoTime() - began;
        if (failed.get() != null) {
            throw new IllegalStateException(failed.get());
        }
        return Long.toString(nanos);
    }

    /** Begins to wait for a lock, by all sessions in turns. Whoever gets it releases it at once. */
    private String await(String lockId, int waiters) {
        for (int waiter = 0; waiter < waiters; waiter++) {
            waiting.add(applications
                    .get(waiter % applications.size())
                    .locker()
                    .getLockAsync(lockId)
                    .thenCompose(RemoteLock::closeAsync));
        }
        return "";
    }

    private String served() {
        waiting.forEach(CompletableFuture::join);
        waiting.clear();
        return "";
    }

    /** Returns how long it takes to take all, and to release all. */
    private String together(String prefix, int locks) {
        MultiLockRequest request = MultiLockRequest.of(
                IntStream.range(0, locks).mapToObj(lock -> prefix + lock).toList());
        long began = System.nanoTime();
        RemoteLocks taken = locker().getLocks(request);
        long took = System.nanoTime();
        taken.close();
        return (took - began) + " " + (System.nanoTime() - took);
    }

    private String soak() {
        soaking = Soaking.begin(locker(), random);
        return "";
    }

    /** Returns the heap in use, the threads, and the calls so far. */
    private String used() throws Exception {
        return usedHeap() + " " + ManagementFactory.getThreadMXBean().getThreadCount() + " "
                + Objects.requireNonNull(soaking, "SOAK comes first").calls();
    }

    private String rest() throws Exception {
        Objects.requireNonNull(soaking, "SOAK comes first").end();
        return "";
    }

    /** Returns how many renewals, and how many statements at all, the process sends in this time. */
    private String sent(Duration time) {
        List<String> sent = sentDuring(0, () -> {
            pause(time);
            return List.of();
        });
        long renewals = sent.stream()
                .filter(statement -> statement.startsWith("UPDATE") && statement.contains("lock_sessions"))
                .count();
        return renewals + " " + sent.size();
    }

    private List<String> sentDuring(int from, Supplier<List<String>> action) {
        if (from == applications.size()) {
            return action.get();
        }
        List<String> all = new ArrayList<>();
        all.addAll(applications.get(from).sentDuring(() -> all.addAll(sentDuring(from + 1, action))));
        return all;
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** After garbage collections, of which one alone may leave what has just become garbage. */
    private static long usedHeap() {
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Returns how long it takes. */
    private String close() {
        long began = System.nanoTime();
        applications.forEach(StarterContender::close);
        applications.clear();
        held.clear();
        return Long.toString(System.nanoTime() - began);
    }
}
