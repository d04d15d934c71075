package io.github.cassandralock.benchmarks.gap;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.testing.processes.JvmProcess;
import io.github.cassandralock.testing.statistics.Median;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Measures, in each run, three windows with a steady producer: two copies of a handler at work; the same, from the kill of one of
 * them on; one worker that holds a lock while another waits for it, from the kill of the holder on.
 */
public final class LongestGaps implements AutoCloseable {

    /** Of two copies. */
    private static final Duration WINDOW = Duration.ofSeconds(5);

    /** Longer than one and a half leases of 15 s, the default. */
    private static final Duration WINDOW_OF_A_LOCK = Duration.ofSeconds(30);

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);
    private static final long MILLIS_BETWEEN_INPUTS = 5;

    /** Outputs of a worker after which its JVM is no longer busy with its start. */
    private static final int OUTPUTS_OF_A_WARM_WORKER = 150;

    /** What happens in a window. */
    public enum Event {
        /** Both copies work. */
        NOTHING,
        /** One of two copies is killed. */
        COPY_KILLED,
        /** The holder of the lock is killed. */
        HOLDER_KILLED
    }

    /**
     * A row of {@code gap.json}.
     *
     * @param event what happened
     * @param medianMs of the longest times without an output, one for each run
     * @param longestMs of them
     */
    public record Gap(Event event, double medianMs, double longestMs) {}

    private final CassandraAddress cassandra;
    private final String postgres;
    private final Class<?> program;
    private final List<String> command;
    private final Path logs;
    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final CqlSession session;
    private final AtomicBoolean enough = new AtomicBoolean();
    private final ExecutorService producer =
            Executors.newSingleThreadExecutor(body -> new Thread(body, "gap-producer"));
    private final Future<?> produced;
    private int workers;

    /**
     * Creates the tables and begins to produce.
     *
     * @param cassandra with its keyspace
     * @param postgres the URL of the database
     * @param program whose main method starts workers
     * @param command the arguments by which it does
     * @param logs the folder of what workers say
     */
    public LongestGaps(CassandraAddress cassandra, String postgres, Class<?> program, List<String> command, Path logs)
            throws SQLException {
        this.cassandra = cassandra;
        this.postgres = postgres;
        this.program = program;
        this.command = command;
        this.logs = logs;
        source.setUrl(postgres);
        session = cassandra.connect();
        Totals.createTables(session, source);
        MessageQueue numbers = new Totals(session).numbers();
        produced = producer.submit(() -> {
            produce(numbers);
            return null;
        });
    }

    private void produce(MessageQueue numbers) throws InterruptedException {
        long input = 0;
        while (!enough.get()) {
            Message message = Message.of(
                    MessageId.of("producer", input),
                    Long.toString(input % 1_000).getBytes(StandardCharsets.UTF_8));
            if (numbers.pushAsSoleProducer(message) instanceof PushAnswer.Pushed) {
                input++;
            }
            TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_INPUTS); // the load; or the ring is full
        }
    }

    /**
     * Measures.
     *
     * @param runs how often
     * @return a row for each event
     */
    public List<Gap> measure(int runs) throws Exception {
        Map<Event, List<Double>> all = new EnumMap<>(Event.class);
        for (int run = 0; run < runs; run++) {
            measureCopies(all);
            measureLock(all);
        }
        return all.entrySet().stream().map(LongestGaps::gap).toList();
    }

    private static Gap gap(Map.Entry<Event, List<Double>> measured) {
        List<Double> gaps = measured.getValue();
        return new Gap(measured.getKey(), Median.of(gaps), Collections.max(gaps));
    }

    private void measureCopies(Map<Event, List<Double>> all) throws Exception {
        String victim = nextName();
        String other = nextName();
        try (JvmProcess first = start(Mode.COPIES, victim);
                JvmProcess second = start(Mode.COPIES, other)) {
            awaitWarm(victim);
            awaitWarm(other);
            add(all, Event.NOTHING, longestGapMs(nowMicros(), WINDOW));
            long killed = nowMicros();
            first.kill();
            add(all, Event.COPY_KILLED, longestGapMs(killed, WINDOW));
            second.stop();
        }
    }

    private void measureLock(Map<Event, List<Double>> all) throws Exception {
        String holder = nextName();
        String waiter = nextName();
        try (JvmProcess first = start(Mode.LOCK, holder)) {
            awaitWarm(holder);
            try (JvmProcess second = start(Mode.LOCK, waiter)) {
                awaitWarm(holder);
                long killed = nowMicros();
                first.kill();
                add(all, Event.HOLDER_KILLED, longestGapMs(killed, WINDOW_OF_A_LOCK));
                awaitWarm(waiter);
                second.stop();
            }
        }
    }

    private static void add(Map<Event, List<Double>> all, Event event, double gap) {
        all.computeIfAbsent(event, any -> new ArrayList<>()).add(gap);
        System.out.printf("%s: %.0f ms%n", event, gap);
    }

    private String nextName() {
        return "worker-" + workers++;
    }

    private JvmProcess start(Mode mode, String name) throws IOException {
        List<String> arguments = new ArrayList<>(command);
        arguments.addAll(List.of(mode.name(), name, CassandraAddress.text(List.of(cassandra)), postgres));
        JvmProcess worker =
                JvmProcess.startWithOutput(program, arguments, Map.of(), logs.resolve("gap-" + name + ".log"));
        worker.awaitLine(GapWorker.READY);
        return worker;
    }

    private void awaitWarm(String worker) throws Exception {
        long began = System.nanoTime();
        long enoughOutputs = outputsOf(worker) + OUTPUTS_OF_A_WARM_WORKER;
        while (outputsOf(worker) < enoughOutputs) {
            if (produced.isDone()) {
                produced.get(); // why there are no inputs any more
            }
            if (System.nanoTime() - began > LONGEST_WAIT.toNanos()) {
                throw new IllegalStateException(worker + " has computed little in " + LONGEST_WAIT.toSeconds() + " s");
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private long outputsOf(String worker) throws SQLException {
        return longs("SELECT count(*) FROM " + Totals.OUTPUTS + " WHERE worker = '" + worker + "'")
                .get(0);
    }

    /** By the clock of the database, as all times of outputs. */
    private long nowMicros() throws SQLException {
        return longs("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint")
                .get(0);
    }

    /** The longest time without an output that ended, or still goes on, within a window that begins at a time. */
    private double longestGapMs(long from, Duration window) throws SQLException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(window.toNanos()); // the time that is measured
        long to = nowMicros();
        long longest = 0;
        long before = from;
        for (long made : longs("SELECT (extract(epoch FROM made_at) * 1000000)::bigint AS made FROM " + Totals.OUTPUTS
                + " ORDER BY made")) {
            if (made > from && made <= to) {
                longest = Math.max(longest, made - before);
                before = made;
            }
        }
        return Math.max(longest, to - before) / 1e3;
    }

    private List<Long> longs(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<Long> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getLong(1));
            }
            return values;
        }
    }

    @Override
    public void close() {
        enough.set(true);
        producer.shutdownNow();
        session.close();
    }
}
