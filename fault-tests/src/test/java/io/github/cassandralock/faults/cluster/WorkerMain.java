package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.inspect.ForceReleaser;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.workload.Journal;
import io.github.cassandralock.testing.workload.LockUser;
import io.github.cassandralock.testing.workload.ProtectedFiles;
import io.github.cassandralock.testing.workload.UsagePattern;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A process that uses locks until its standard input ends. Each byte there asks for a lock to be kept for long. */
public final class WorkerMain {

    public static final List<String> LOCKS = List.of("till", "vault", "ledger");

    /** Half of all work is done alone. */
    private static final List<LockMode> MODES = List.of(
            LockMode.EXCLUSIVE,
            LockMode.EXCLUSIVE,
            LockMode.EXCLUSIVE,
            LockMode.PROTECTED_WRITE,
            LockMode.PROTECTED_READ,
            LockMode.PROTECTED_READ,
            LockMode.CONCURRENT_WRITE,
            LockMode.CONCURRENT_READ);

    /** The property of a process that does errands as well. */
    static final String ERRANDS = "errands";

    private static final int THREADS = 2;
    private static final int OWN_ARGUMENTS = 5;
    private static final int SELDOM = 300;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Leaves the machine some time for what it is to survive. */
    private static final int LONGEST_REST_MILLIS = 60;

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean ending;

    private WorkerMain() {}

    /** @param arguments name, journal, directory of what is protected, longest work, seed; then the application's arguments */
    public static void main(String[] arguments) throws Exception {
        List<String> rest = Arrays.asList(arguments).subList(OWN_ARGUMENTS, arguments.length);
        try (Journal journal = new Journal(Path.of(arguments[1]));
                ProtectedFiles files = new ProtectedFiles(Path.of(arguments[2]));
                Application application = Application.run(
                        List.of(Application.Configuration.class, ThroughProxies.class, ClockRate.class), rest)) {
            UsagePattern pattern = new UsagePattern(LOCKS, PATIENCE, Duration.parse(arguments[3]), SELDOM, true)
                    .inModes(MODES)
                    .withConversions();
            SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[4]));
            List<LockUser> users = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                users.add(new LockUser(
                        arguments[0], "" + thread, application.locker(), files, pattern, random.split(), journal));
            }
            WorkerMain main = new WorkerMain();
            if (application.context().getEnvironment().containsProperty(ERRANDS)) {
                main.begin(new Errands(
                        arguments[0],
                        application.locker(),
                        application.context().getBean(ForceReleaser.class)));
            }
            main.work(users, pattern, random);
        }
    }

    /** What no caller of a lock expects ends the process, which the tests take for what it is. */
    private void work(List<LockUser> users, UsagePattern pattern, SplittableRandom random) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        for (LockUser user : users) {
            SplittableRandom rests = random.split();
            threads.add(new Thread(() -> workWith(user, rests), "user-" + threads.size()));
        }
        threads.forEach(Thread::start);
        while (System.in.read() >= 0) {
            pattern.letNextWorkBeLong();
        }
        ending = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void begin(Errands errands) {
        threads.add(new Thread(
                () -> {
                    try {
                        while (!ending) {
                            errands.runOnce();
                        }
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "errands"));
    }

    private void workWith(LockUser user, SplittableRandom rests) {
        try {
            while (!ending) {
                user.useOnce();
                TimeUnit.MILLISECONDS.sleep(rests.nextInt(LONGEST_REST_MILLIS));
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
