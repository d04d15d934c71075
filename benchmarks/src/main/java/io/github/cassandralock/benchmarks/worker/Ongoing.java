package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.testing.processes.ConcurrentTasks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The work of one process that goes on until its counted part is over. For one thread. */
final class Ongoing {

    private final List<Contender> contenders;
    private final AtomicReference<@Nullable Part> part = new AtomicReference<>();
    private final LongAdder granted = new LongAdder();
    private final List<Notes> notes = new ArrayList<>();
    private final FutureTask<?> threads;
    private long requestsBefore;

    /** Begins. */
    Ongoing(Order.Begin order, List<Contender> contenders, int process) {
        this.contenders = contenders;
        List<Taking> takings = new ArrayList<>();
        for (int contender = 0; contender < contenders.size(); contender++) {
            for (int thread = 0; thread < order.work().threads(); thread++) {
                Notes own = new Notes(contender + 1);
                notes.add(own);
                takings.add(new Taking(
                        order.work(),
                        order.arriving(),
                        contenders.get(contender),
                        random(process, contender, thread),
                        part,
                        granted,
                        own));
            }
        }
        threads = new FutureTask<>(() -> ConcurrentTasks.runAll(takings));
        Thread starter = new Thread(threads, "takings");
        starter.setDaemon(true);
        starter.start();
    }

    /** Each thread chooses its locks in an order of its own, the same in every run. */
    private static RandomGenerator random(int process, int contender, int thread) {
        return new SplittableRandom(process * 1_000_003L + contender * 10_007L + thread);
    }

    /** @throws ExecutionException if a thread has failed: the others will soon wait for its lock for ever */
    long granted() throws InterruptedException, ExecutionException {
        if (threads.isDone()) {
            threads.get();
        }
        return granted.sum();
    }

    /** Returns when the part has begun. */
    void count(Part counted) throws InterruptedException {
        part.set(counted);
        TimeUnit.NANOSECONDS.sleep(counted.from() - System.nanoTime());
        requestsBefore = requests();
    }

    /** Returns how many requests were sent in the part when it is over. */
    long await() throws InterruptedException, ExecutionException {
        threads.get();
        return requests() - requestsBefore;
    }

    private long requests() {
        return contenders.stream().mapToLong(Contender::requests).sum();
    }

    Path write() throws IOException {
        Path file = Files.createTempFile("cassandra-lock-benchmarks-", ".grants");
        Notes.write(notes, file);
        return file;
    }
}
