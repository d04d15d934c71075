package io.github.cassandralock.it;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.RemoteLock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A process of its own that counts, with two threads, until its standard input ends: reads a number, writes it back with one
 * added. Nothing but the lock protects the number. It records when it enters and leaves the lock, in a file that survives it.
 */
final class CounterWorker {

    static final String KEYSPACE = "rolling";
    static final String TABLE =
            "CREATE TABLE IF NOT EXISTS " + KEYSPACE + ".counted (name text PRIMARY KEY, value bigint)";

    private static final int THREADS = 2;

    /** Leaves the machine some time to start the next process. */
    private static final long BETWEEN_UPDATES_MILLIS = 10;

    private final Application application;
    private final CqlSession session;
    private final String lockId;
    private final FileChannel records;
    private final PreparedStatement read;
    private final PreparedStatement write;
    private volatile boolean ending;

    private CounterWorker(Application application, String lockId, FileChannel records) {
        this.application = application;
        this.session = application.session();
        this.lockId = lockId;
        this.records = records;
        read = session.prepare("SELECT value FROM counted WHERE name = ?");
        write = session.prepare("INSERT INTO counted (name, value) VALUES (?, ?)");
    }

    /** @param arguments the lock id, the file of the records, then the application's arguments */
    public static void main(String[] arguments) throws Exception {
        List<String> rest = Arrays.asList(arguments).subList(2, arguments.length);
        try (FileChannel records =
                        FileChannel.open(Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                Application application = Application.run(List.of(Application.Configuration.class), rest)) {
            new CounterWorker(application, arguments[0], records).work();
        }
    }

    private void work() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> counting = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            counting.add(threads.submit(() -> {
                while (!ending) {
                    count();
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

    /** The monotonic clock of one machine is the same in all its processes. */
    private void count() throws IOException {
        try (RemoteLock lock = application.locker().getLock(lockId)) {
            long enteredAt = System.nanoTime();
            long value = value();
            record(lock.getThreadId() + " enter " + enteredAt + " " + value);
            session.execute(write.bind(lockId, value + 1));
            record(lock.getThreadId() + " leave " + System.nanoTime() + " " + (value + 1));
        }
    }

    private long value() {
        Row row = session.execute(read.bind(lockId)).one();
        return row == null ? 0 : row.getLong("value");
    }

    private void record(String line) throws IOException {
        records.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
