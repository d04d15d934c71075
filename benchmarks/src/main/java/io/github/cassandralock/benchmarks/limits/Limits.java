package io.github.cassandralock.benchmarks.limits;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import io.github.cassandralock.benchmarks.report.SoakSample;
import io.github.cassandralock.benchmarks.worker.Crew;
import io.github.cassandralock.testing.statistics.Median;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Measures much of everything, with the default settings, in processes that begin with each measurement. For one thread.
 *
 * @param program whose main method starts workers
 * @param command the argument by which it does
 * @param logs the folder of what workers say
 */
public record Limits(CassandraAddress cassandra, Class<?> program, String command, Path logs) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double BYTES_PER_MEGABYTE = 1 << 20;
    private static final int SECONDS_OF_AN_IDLE_SLOT = 300;
    private static final int MOST_IDS_BEFORE = 10_000;

    /** Of 1,024 parts: one read of all rows meets too many that have expired. */
    private static final long TOKENS_OF_A_PART = 1L << 54;

    /** Until all calls wait. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** Twenty processes do little but optimize their code, unless they must not. */
    private static final Map<String, String> FOR_A_CROWD = Map.of("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");

    /** Receives all samples so far. */
    public interface Recorder {

        void record(List<SoakSample> samples) throws IOException;
    }

    /** Creates the tables, which several processes must not do at the same time. */
    public void createTables() {
        try (CqlSession session = cassandra.connect()) {
            new StarterContender(List.of(), session).close();
        }
    }

    private Crew start(int processes) throws IOException {
        return Crew.start(
                processes,
                program,
                command,
                1,
                List.of(CassandraAddress.text(List.of(cassandra))),
                processes == 1 ? Map.of() : FOR_A_CROWD,
                logs);
    }

    /**
     * One process holds locks, and is shut down with them.
     *
     * @param time for how long its statements are counted
     */
    public List<LimitRow> held(int locks, Duration time) throws Exception {
        Rows rows = new Rows("Locks held by one process", locks);
        String prefix = "held-" + locks + "-";
        try (Crew crew = start(1)) {
            crew.order("OPEN 1");
            double before = most(crew, "HEAP");
            rows.add("taken after, s", most(crew, "HOLD " + prefix + " " + locks) / NANOS_PER_SECOND);
            double heap = most(crew, "HEAP") - before;
            rows.add("heap, MB", heap / BYTES_PER_MEGABYTE);
            rows.add("heap of a lock, bytes", heap / locks);
            addSent(rows, crew, time);
            rows.add("shutdown, s", most(crew, "CLOSE") / NANOS_PER_SECOND);
        }
        rows.add("slots left to be evicted by others", (double) inUse(prefix));
        return rows.all();
    }

    private static void addSent(Rows rows, Crew crew, Duration time) throws IOException {
        List<long[]> sent = crew.numbers("SENT " + time);
        double minutes = time.toNanos() / NANOS_PER_SECOND / 60;
        rows.add("renewals a minute", sent.stream().mapToLong(of -> of[0]).sum() / minutes);
        rows.add("statements a minute", sent.stream().mapToLong(of -> of[1]).sum() / minutes);
    }

    /**
     * Many wait for one lock. Each of them releases it at once.
     *
     * @param time for how long their statements are counted while they wait
     */
    public List<LimitRow> waiters(int waiters, int processes, Duration time) throws Exception {
        int each = waiters / processes;
        Rows rows = new Rows("Calls that wait for one lock, in " + processes + " processes", (long) each * processes);
        String lockId = "crowded-" + waiters;
        try (CqlSession session = cassandra.connect();
                StarterContender holder = new StarterContender(List.of(), session);
                Crew crew = start(processes)) {
            crew.order("OPEN 1");
            Contender.Hold held = holder.acquire(lockId);
            crew.order("WAIT " + lockId + " " + each);
            TimeUnit.NANOSECONDS.sleep(SETTLING.toNanos());
            addSent(rows, crew, time);
            long released = System.nanoTime();
            held.release();
            crew.order("SERVED");
            rows.add("all served after, s", (System.nanoTime() - released) / NANOS_PER_SECOND);
            crew.order("CLOSE");
        }
        return rows.all();
    }

    /** One call takes many locks, which nobody else wants. Medians. */
    public List<LimitRow> together(int locks, int runs) throws Exception {
        Rows rows = new Rows("Locks of one call", locks);
        List<Long> taken = new ArrayList<>();
        List<Long> released = new ArrayList<>();
        try (Crew crew = start(1)) {
            crew.order("OPEN 1");
            for (int run = 0; run < runs; run++) {
                long[] nanos = crew.numbers("TOGETHER together- " + locks).get(0);
                taken.add(nanos[0]);
                released.add(nanos[1]);
            }
            crew.order("CLOSE");
        }
        rows.add("taken after, s", Median.of(taken) / NANOS_PER_SECOND);
        rows.add("released after, s", Median.of(released) / NANOS_PER_SECOND);
        return rows.all();
    }

    /**
     * Many sessions, each of an application of its own. All take one lock, once each.
     *
     * @param time for how long their statements are counted
     */
    public List<LimitRow> sessions(int sessions, int processes, Duration time) throws Exception {
        int each = sessions / processes;
        Rows rows = new Rows("Sessions in " + processes + " processes", (long) each * processes);
        try (Crew crew = start(processes)) {
            crew.order("OPEN 1");
            useOnce(crew);
            List<long[]> before = crew.numbers("HEAP");
            crew.order("OPEN " + each);
            if (each > 1) {
                double heap = growth(before, crew.numbers("HEAP"));
                rows.add("heap of a session, MB", heap / (each - 1) / BYTES_PER_MEGABYTE);
            }
            long began = System.nanoTime();
            crew.order("WAIT sessions-" + sessions + " " + each);
            crew.order("SERVED");
            rows.add("all served after, s", (System.nanoTime() - began) / NANOS_PER_SECOND);
            addSent(rows, crew, time);
            rows.add("shutdown, s", most(crew, "CLOSE") / NANOS_PER_SECOND);
        }
        return rows.all();
    }

    /**
     * One process takes locks whose ids are used once.
     *
     * @param perSecond how many; 0 for as many as it can
     */
    public List<LimitRow> randomIds(int ids, int perSecond) throws Exception {
        Rows rows = new Rows(
                perSecond == 0
                        ? "Random lock ids at full speed"
                        : "Random lock ids, " + perSecond + " a second for " + ids / perSecond + " s",
                ids);
        String prefix = "random-" + perSecond + "-";
        try (Crew crew = start(1)) {
            crew.order("OPEN 1");
            crew.order("CHURN first- " + Math.max(1, Math.min(ids / 10, MOST_IDS_BEFORE)) + " " + perSecond);
            double before = most(crew, "HEAP");
            double seconds = most(crew, "CHURN " + prefix + " " + ids + " " + perSecond) / NANOS_PER_SECOND;
            double after = most(crew, "HEAP");
            rows.add("taken and released after, s", seconds);
            rows.add("heap before, MB", before / BYTES_PER_MEGABYTE);
            rows.add("heap after, MB", after / BYTES_PER_MEGABYTE);
            rows.add("rows left", rows(prefix).size());
            rows.add("ids of the last five minutes", Math.min(ids, ids / seconds * SECONDS_OF_AN_IDLE_SLOT));
            crew.order("CLOSE");
        }
        return rows.all();
    }

    /**
     * Some processes do all kinds of work.
     *
     * @param every how often heap and threads are recorded
     * @param recorder is called each time
     */
    public void soak(int processes, Duration time, Duration every, Recorder recorder) throws Exception {
        List<SoakSample> samples = new ArrayList<>();
        try (Crew crew = start(processes)) {
            crew.order("OPEN 1");
            crew.order("SOAK");
            long began = System.nanoTime();
            for (int number = 1; number <= time.dividedBy(every); number++) {
                TimeUnit.NANOSECONDS.sleep(began + number * every.toNanos() - System.nanoTime());
                List<long[]> used = crew.numbers("USED");
                for (int process = 0; process < processes; process++) {
                    long[] numbers = used.get(process);
                    samples.add(new SoakSample(
                            process + 1,
                            number * every.toNanos() / NANOS_PER_SECOND,
                            numbers[0] / BYTES_PER_MEGABYTE,
                            numbers[1],
                            numbers[2]));
                }
                recorder.record(samples);
            }
            crew.order("REST");
            crew.order("CLOSE");
        }
    }

    /** Returns what each process used at the beginning and at the end. */
    public static List<LimitRow> ofSoak(List<SoakSample> samples, Duration time) {
        Rows rows = new Rows("Seconds of mixed work", time.toSeconds());
        for (int process : samples.stream().map(SoakSample::process).distinct().toList()) {
            List<SoakSample> own = samples.stream()
                    .filter(sample -> sample.process() == process)
                    .toList();
            List<SoakSample> first = own.subList(0, (own.size() + 3) / 4);
            List<SoakSample> last = own.subList(own.size() - first.size(), own.size());
            String of = "process " + process + ": ";
            rows.add(of + "calls", (double) own.get(own.size() - 1).calls());
            rows.add(of + "heap in the first quarter, MB", heap(first));
            rows.add(of + "heap in the last quarter, MB", heap(last));
            rows.add(of + "threads in the first quarter", threads(first));
            rows.add(of + "threads in the last quarter", threads(last));
        }
        return rows.all();
    }

    private static double heap(List<SoakSample> samples) {
        return Median.of(samples.stream().map(SoakSample::heapMegabytes).toList());
    }

    private static double threads(List<SoakSample> samples) {
        return Median.of(samples.stream().map(SoakSample::threads).toList());
    }

    /** The first use of a process leaves heap that later uses do not. */
    private static void useOnce(Crew crew) throws IOException {
        crew.order("WAIT first 1");
        crew.order("SERVED");
    }

    /** The median of all processes. */
    private static double growth(List<long[]> before, List<long[]> after) {
        return Median.of(IntStream.range(0, before.size())
                .mapToObj(process -> (double) after.get(process)[0] - before.get(process)[0])
                .toList());
    }

    /** That of the process with the most. */
    private static double most(Crew crew, String order) throws IOException {
        return crew.numbers(order).stream().mapToLong(of -> of[0]).max().orElse(0);
    }

    private long inUse(String prefix) {
        return rows(prefix).stream().filter(phase -> phase != 0).count();
    }

    /** The phases of all slots of locks whose ids begin so. */
    private List<Byte> rows(String prefix) {
        List<Byte> phases = new ArrayList<>();
        try (CqlSession session = cassandra.connect()) {
            PreparedStatement part = session.prepare(
                    "SELECT lock_id, phase FROM lock_slots WHERE token(lock_id) > ? AND token(lock_id) <= ?");
            long from = Long.MIN_VALUE;
            while (from != Long.MAX_VALUE) {
                long to = from > Long.MAX_VALUE - TOKENS_OF_A_PART ? Long.MAX_VALUE : from + TOKENS_OF_A_PART;
                for (Row row : session.execute(part.bind(from, to))) {
                    if (Objects.requireNonNull(row.getString("lock_id")).startsWith(prefix)) {
                        phases.add(row.getByte("phase"));
                    }
                }
                from = to;
            }
        }
        return phases;
    }

    /** The rows of one limit. */
    private record Rows(String limit, long size, List<LimitRow> all) {

        private Rows(String limit, long size) {
            this(limit, size, new ArrayList<>());
        }

        private void add(String figure, double value) {
            all.add(new LimitRow(limit, size, figure, value));
        }
    }
}
