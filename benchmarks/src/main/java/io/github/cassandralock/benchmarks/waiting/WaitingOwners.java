package io.github.cassandralock.benchmarks.waiting;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.benchmarks.contender.StarterContender;
import io.github.cassandralock.benchmarks.worker.Crew;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * Measures processes with many owners, on one node: with the search for deadlocks and without. For one thread.
 *
 * @param program whose main method starts workers
 * @param command the argument by which it does
 * @param logs the folder of what workers say
 */
public record WaitingOwners(CassandraAddress cassandra, long nodePid, Class<?> program, String command, Path logs) {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double KILOBYTES_PER_MEGABYTE = 1024;

    /** Until all calls are published, and all rounds have begun. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /**
     * A row of {@code waiting.json}: each owner holds a lock of its own, and waits for one that somebody else holds for a while.
     *
     * @param search whether deadlocks were looked for
     * @param owners of all processes together
     * @param writesPerInterval to the table of waits, by the process that sends most
     * @param readsPerInterval of that table, by the process that sends most
     * @param slotReadsPerSecond of locks, by the process that sends most; most of them by the calls that wait
     * @param servedSeconds from the release of the lock until all owners have had it and have released both locks
     * @param victims calls that were ended; there is no deadlock
     * @param nodeMegabytesBefore the memory of the node's process before anybody waits
     * @param nodeMegabytesAfter when all have waited
     */
    public record Waiting(
            boolean search,
            int processes,
            int owners,
            double writesPerInterval,
            double readsPerInterval,
            double slotReadsPerSecond,
            double servedSeconds,
            long victims,
            double nodeMegabytesBefore,
            double nodeMegabytesAfter) {

        /** The run that took the median time. */
        public static Waiting median(List<Waiting> runs) {
            return runs.stream()
                    .sorted(Comparator.comparing(Waiting::servedSeconds))
                    .toList()
                    .get(runs.size() / 2);
        }
    }

    /**
     * A row of {@code in-order.json}: owners take locks in one order, so that there is no deadlock.
     *
     * @param seconds for how long
     * @param taken how many locks
     * @param victims calls that were ended
     */
    public record InOrder(int processes, int owners, double seconds, long taken, long victims) {}

    /**
     * Measures owners that wait.
     *
     * @param run distinguishes the locks of this measurement
     * @param each how many owners each process has
     * @param time for how long all of them wait
     */
    public Waiting waiting(int run, boolean search, int processes, int each, Duration time) throws Exception {
        String hot = "hot-" + run;
        try (CqlSession session = cassandra.connect();
                StarterContender holder = new StarterContender(OwnersWorker.settings(search), session);
                Crew crew = start(run, processes, search)) {
            crew.order("OWN " + each);
            Contender.Hold held = holder.acquire(hot);
            double before = nodeMegabytes();
            crew.order("ASK " + hot);
            TimeUnit.NANOSECONDS.sleep(SETTLING.toNanos());
            List<long[]> counts = crew.numbers("COUNT " + time);
            double after = nodeMegabytes();
            long released = System.nanoTime();
            held.release();
            long victims = crew.numbers("AWAIT").stream().mapToLong(of -> of[0]).sum();
            double seconds = time.toNanos() / NANOS_PER_SECOND;
            return new Waiting(
                    search,
                    processes,
                    processes * each,
                    most(counts, of -> of[0]) / seconds,
                    most(counts, of -> of[1]) / seconds,
                    most(counts, of -> of[2]) / seconds,
                    (System.nanoTime() - released) / NANOS_PER_SECOND,
                    victims,
                    before,
                    after);
        }
    }

    /** Measures owners, which are threads, that take locks in one order, with the search. */
    public InOrder inOrder(int processes, int each, Duration time) throws Exception {
        try (Crew crew = start(0, processes, true)) {
            List<long[]> results = crew.numbers("INORDER " + each + " " + time);
            return new InOrder(
                    processes,
                    processes * each,
                    time.toNanos() / NANOS_PER_SECOND,
                    results.stream().mapToLong(of -> of[0]).sum(),
                    results.stream().mapToLong(of -> of[1]).sum());
        }
    }

    private static double most(List<long[]> counts, ToLongFunction<long[]> of) {
        return counts.stream().mapToLong(of).max().orElse(0);
    }

    /** The memory of the process, as the operating system counts it. */
    private double nodeMegabytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + nodePid + "/status")).stream()
                        .filter(line -> line.startsWith("VmRSS:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .sum()
                / KILOBYTES_PER_MEGABYTE;
    }

    private Crew start(int run, int processes, boolean search) throws IOException {
        return Crew.start(
                processes,
                program,
                command,
                run * 100 + 1,
                List.of(CassandraAddress.text(List.of(cassandra)), Boolean.toString(search)),
                Map.of(),
                logs);
    }
}
