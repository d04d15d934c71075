package io.github.cassandralock.it;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.workload.Journal;
import io.github.cassandralock.testing.workload.LockUser;
import io.github.cassandralock.testing.workload.ProtectedFiles;
import io.github.cassandralock.testing.workload.UsagePattern;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process of its own that counts under one lock, with two threads, until its standard input ends. Nothing but the lock
 * protects the counter.
 */
final class CounterWorker {

    private static final int OWN_ARGUMENTS = 5;
    private static final int THREADS = 2;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration UNDER_THE_LOCK = Duration.ofMillis(20);

    private static final int ALWAYS = 1;

    /** Keeps the lock contended, and leaves the machine most of its time to start the next process. */
    private static final long BETWEEN_UPDATES_MILLIS = 100;

    private volatile boolean ending;

    private CounterWorker() {}

    /** @param arguments name, lock id, journal, directory of the counter, modes; then the application's arguments */
    public static void main(String[] arguments) throws Exception {
        List<String> rest = Arrays.asList(arguments).subList(OWN_ARGUMENTS, arguments.length);
        UsagePattern pattern = new UsagePattern(List.of(arguments[1]), PATIENCE, UNDER_THE_LOCK, ALWAYS, false)
                .inModes(Stream.of(arguments[4].split(","))
                        .map(LockMode::valueOf)
                        .toList());
        SplittableRandom random = new SplittableRandom(arguments[0].hashCode());
        try (Journal journal = new Journal(Path.of(arguments[2]));
                ProtectedFiles counter = new ProtectedFiles(Path.of(arguments[3]));
                Application application = Application.run(List.of(Application.Configuration.class), rest)) {
            List<LockUser> users = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                users.add(new LockUser(
                        arguments[0], "" + thread, application.locker(), counter, pattern, random.split(), journal));
            }
            new CounterWorker().work(users);
        }
    }

    private void work(List<LockUser> users) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(users.size());
        List<Future<?>> counting = new ArrayList<>();
        for (LockUser user : users) {
            counting.add(threads.submit(() -> {
                while (!ending) {
                    user.useOnce();
                    TimeUnit.MILLISECONDS.sleep(BETWEEN_UPDATES_MILLIS);
                }
                return null;
            }));
        }
        while (System.in.read() >= 0) {
            // until the parent closes the pipe or dies
        }
        ending = true;
        for (Future<?> thread : counting) {
            thread.get();
        }
        threads.shutdown();
    }
}
