package io.github.cassandralock.benchmarks.waiting;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockOwner;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import io.github.cassandralock.benchmarks.worker.Crew;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.springframework.util.StringUtils;

/** A process with many owners. It ends when its standard input does. */
public final class OwnersWorker {

    private static final Duration SHORT = Duration.ofMillis(5);
    private static final int LOCKS_IN_ORDER = 30;
    private static final int LOCKS_OF_EACH = 3;

    /** Longer than a call waits before it takes part in the search, so that many calls are published. */
    private static final int LONGEST_HOLD_MS = 1_500;

    private final int number;
    private final StarterContender application;
    private final RemoteLocker locker;
    private final AtomicLong victims = new AtomicLong();

    private OwnersWorker(int number, StarterContender application) {
        this.number = number;
        this.application = application;
        this.locker = application.locker();
    }

    /**
     * @param number of the process
     * @param cassandra where the nodes are
     * @param search whether deadlocks are looked for
     */
    public static void run(int number, String cassandra, boolean search) throws Exception {
        PrintStream answers = System.out;
        System.setOut(System.err);
        try (CqlSession session = CassandraAddress.parse(cassandra).connect();
                StarterContender application = new StarterContender(settings(search), session);
                BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            new OwnersWorker(number, application).work(orders, answers);
        }
    }

    static List<String> settings(boolean search) {
        return List.of("--cassandra-lock.algorithm=ticket", "--cassandra-lock.deadlock.enabled=" + search);
    }

    private void work(BufferedReader orders, PrintStream answers) throws Exception {
        List<LockOwner> owners = new ArrayList<>();
        List<RemoteLock> own = new ArrayList<>();
        List<CompletableFuture<Void>> waiting = new ArrayList<>();
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            String[] order = StringUtils.delimitedListToStringArray(line, " ");
            String answer = switch (order[0]) {
                case "OWN" -> {
                    takeOwn(Integer.parseInt(order[1]), owners, own);
                    yield "";
                }
                case "ASK" -> {
                    for (int owner = 0; owner < owners.size(); owner++) {
                        waiting.add(ask(order[1], owners.get(owner), own.get(owner)));
                    }
                    yield "";
                }
                case "COUNT" -> counted(Duration.parse(order[1]));
                case "AWAIT" -> {
                    waiting.forEach(CompletableFuture::join);
                    yield Long.toString(victims.get());
                }
                case "INORDER" -> inOrder(Integer.parseInt(order[1]), Duration.parse(order[2]));
                default -> throw new IOException("no order: " + line);
            };
            answers.println(Crew.ANSWER + answer);
        }
    }

    private void takeOwn(int count, List<LockOwner> owners, List<RemoteLock> own) {
        List<CompletableFuture<RemoteLock>> locks = new ArrayList<>();
        for (int owner = 0; owner < count; owner++) {
            owners.add(LockOwner.named("owner " + owner));
            locks.add(locker.getLockAsync(
                    LockRequest.of("own-" + number + "-" + owner).owner(owners.get(owner))));
        }
        locks.forEach(lock -> own.add(lock.join()));
    }

    /** Gives both locks back at once when it has got the second one, or was ended. */
    private CompletableFuture<Void> ask(String lockId, LockOwner owner, RemoteLock own) {
        return locker.getLockAsync(LockRequest.of(lockId).owner(owner))
                .thenCompose(RemoteLock::closeAsync)
                .handle((done, failure) -> {
                    if (failure != null) {
                        note(failure);
                    }
                    return own.closeAsync();
                })
                .thenCompose(closed -> closed);
    }

    private void note(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof LockDeadlockException) {
                victims.incrementAndGet();
                return;
            }
        }
        throw new IllegalStateException(failure);
    }

    /** What it sends in this time to the table of waits, to write and to read, and to that of slots, to read. */
    private String counted(Duration time) {
        List<String> sent = application.sentDuring(() -> pause(time));
        return count(sent, "INSERT INTO", "lock_waiting")
                + " " + count(sent, "SELECT", "lock_waiting")
                + " " + count(sent, "SELECT", "lock_slots");
    }

    private static long count(List<String> sent, String verb, String table) {
        return sent.stream()
                .filter(statement -> statement.startsWith(verb) && statement.contains(table))
                .count();
    }

    private static void pause(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Each owner, a thread, takes some locks in their order and holds them for a while, again and again. */
    private String inOrder(int threads, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        AtomicLong taken = new AtomicLong();
        List<Callable<Void>> bodies = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            SplittableRandom random = new SplittableRandom(number * 1_000L + thread);
            bodies.add(() -> {
                while (System.nanoTime() - end < 0) {
                    takeInOrder(random);
                    taken.addAndGet(LOCKS_OF_EACH);
                }
                return null;
            });
        }
        ConcurrentTasks.runAll(bodies);
        return taken + " " + victims;
    }

    private void takeInOrder(SplittableRandom random) {
        List<RemoteLock> held = new ArrayList<>();
        int[] locks = IntStream.generate(() -> random.nextInt(LOCKS_IN_ORDER))
                .distinct()
                .limit(LOCKS_OF_EACH)
                .sorted()
                .toArray();
        try {
            for (int lock : locks) {
                held.add(locker.getLock("in-order-" + lock));
            }
            pause(random.nextBoolean() ? SHORT : Duration.ofMillis(random.nextInt(LONGEST_HOLD_MS)));
        } catch (LockDeadlockException deadlock) {
            victims.incrementAndGet();
        } finally {
            for (int lock = held.size() - 1; lock >= 0; lock--) {
                held.get(lock).close();
            }
        }
    }
}
