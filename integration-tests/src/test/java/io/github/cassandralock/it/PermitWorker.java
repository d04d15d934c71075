package io.github.cassandralock.it;

import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.springframework.core.env.Environment;

/**
 * A process of its own whose threads take permits of one lock, again and again, and write into a file that all processes share when
 * they begin and end. It ends with its standard input.
 */
final class PermitWorker {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private PermitWorker() {}

    /** @param arguments of the application */
    public static void main(String[] arguments) throws IOException {
        try (Application application =
                Application.run(List.of(Application.Configuration.class), new ArrayList<>(Arrays.asList(arguments)))) {
            Environment settings = application.context().getEnvironment();
            String lockId = settings.getRequiredProperty("permit-worker.lock");
            int[] permits = settings.getRequiredProperty("permit-worker.permits", int[].class);
            Book book = new Book(Path.of(settings.getRequiredProperty("permit-worker.book")));
            for (int thread = 0; thread < 3; thread++) {
                SplittableRandom random =
                        new SplittableRandom(ProcessHandle.current().pid() * 31 + thread);
                Thread worker = new Thread(() -> work(application.locker(), lockId, permits, book, random));
                worker.setDaemon(true);
                worker.start();
            }
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }

    private static void work(RemoteLocker locker, String lockId, int[] permits, Book book, SplittableRandom random) {
        try {
            while (true) {
                attempt(locker, lockId, permits, book, random);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
            }
        } catch (InterruptedException | RuntimeException e) {
            book.add(Book.ENDED + e);
        }
    }

    /** A process that was stopped may have lost its lock, or an answer of Cassandra: the next attempt begins again. */
    private static void attempt(RemoteLocker locker, String lockId, int[] permits, Book book, SplittableRandom random)
            throws InterruptedException {
        LockRequest request = LockRequest.of(lockId).permits(permits[random.nextInt(permits.length)]);
        try {
            Optional<RemoteLock> taken =
                    random.nextInt(4) == 0 ? locker.tryGetLock(request) : locker.tryGetLock(request, PATIENCE);
            if (taken.isPresent()) {
                use(taken.get(), book, random);
            }
        } catch (LockStoreException | LockLostException e) {
            book.add(Book.FAILED + e);
        }
    }

    /** Says afterwards whether it was held at the end: then it was held all the time. */
    private static void use(RemoteLock lock, Book book, SplittableRandom random) throws InterruptedException {
        try (lock) {
            book.add(Book.BEGIN + lock.getThreadId() + " " + lock.getPermits());
            TimeUnit.MILLISECONDS.sleep(random.nextInt(60));
            book.add(Book.END + lock.getThreadId());
            if (lock.isHeld()) {
                book.add(Book.HELD + lock.getThreadId());
            }
        }
    }

    /** The lines of all processes, in the order in which they were written. */
    record Book(Path file) {

        static final String BEGIN = "begin ";
        static final String END = "end ";
        static final String HELD = "held ";
        static final String ENDED = "ended ";
        static final String FAILED = "failed ";

        void add(String line) {
            try {
                Files.writeString(file, line + "\n", StandardOpenOption.APPEND, StandardOpenOption.CREATE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        List<String> lines() {
            try {
                return Files.exists(file) ? Files.readAllLines(file) : List.of();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** How many uses of the lock were held from their begin to their end. */
        long uses() {
            return lines().stream().filter(line -> line.startsWith(HELD)).count();
        }

        /** What a line says about a use that was held to its end; empty for all others. */
        private static Optional<String> use(String line, String kind, List<String> held) {
            return Optional.of(line)
                    .filter(any -> any.startsWith(kind))
                    .map(any -> any.substring(kind.length()).split(" ", 2)[0])
                    .filter(held::contains);
        }

        /** The highest number of holders at one time, and what is wrong: more than the least number of permits of one of them. */
        Count count() {
            List<String> lines = lines();
            List<String> held = lines.stream()
                    .filter(line -> line.startsWith(HELD))
                    .map(line -> line.substring(HELD.length()))
                    .toList();
            Map<String, Integer> holding = new HashMap<>();
            List<String> tooMany = new ArrayList<>();
            int most = 0;
            for (String line : lines) {
                use(line, BEGIN, held)
                        .ifPresent(use -> holding.put(use, Integer.valueOf(line.substring(line.lastIndexOf(' ') + 1))));
                use(line, END, held).ifPresent(holding::remove);
                most = Math.max(most, holding.size());
                int permits = holding.values().stream()
                        .mapToInt(Integer::intValue)
                        .min()
                        .orElse(1);
                if (holding.size() > permits) {
                    tooMany.add(line + ": " + holding);
                }
            }
            return new Count(most, tooMany);
        }
    }

    record Count(int most, List<String> tooMany) {}
}
