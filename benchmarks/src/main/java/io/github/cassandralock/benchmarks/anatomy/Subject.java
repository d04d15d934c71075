package io.github.cassandralock.benchmarks.anatomy;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import io.github.cassandralock.testing.statistics.Median;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Something done again and again, timed with and without tracing. For one thread. */
final class Subject {

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private final String what;
    private final Callable<?> action;
    private final TracingSession session;
    private final List<Long> untracedNanos = new ArrayList<>();
    private final List<Round> traced = new ArrayList<>();

    private record Round(long nanos, List<ExecutionInfo> executions) {}

    Subject(String what, TracingSession session, Callable<?> action) {
        this.what = what;
        this.session = session;
        this.action = action;
    }

    void warmUp() throws Exception {
        action.call();
    }

    void run() throws Exception {
        untracedNanos.add(timed());
    }

    void runTraced() throws Exception {
        session.startTracing();
        long nanos = timed();
        traced.add(new Round(nanos, session.stopTracing()));
    }

    private long timed() throws Exception {
        long startedAt = System.nanoTime();
        action.call();
        return System.nanoTime() - startedAt;
    }

    /** Fetches the traces, which by now are complete. A round in which the lease was renewed is not like the others. */
    Anatomy anatomy() {
        double roundTrips = Median.of(
                traced.stream().map(round -> round.executions().size()).toList());
        List<Round> typical = traced.stream()
                .filter(round -> round.executions().size() == roundTrips)
                .toList();
        double micros = typical.stream().mapToLong(Round::nanos).sum() / NANOS_PER_MICRO;
        List<Trace> traces = typical.stream()
                .flatMap(round -> round.executions().stream())
                .map(Trace::of)
                .toList();
        double coordinator = traces.stream().mapToLong(Trace::coordinatorMicros).sum();
        double replicas = traces.stream().mapToLong(Trace::replicaMicros).sum();
        return new Anatomy(
                what,
                roundTrips,
                untracedNanos.stream().mapToLong(Long::longValue).average().orElseThrow() / NANOS_PER_MILLI,
                Median.of(untracedNanos) / NANOS_PER_MILLI,
                (micros - coordinator) / micros,
                (coordinator - replicas) / micros,
                replicas / micros);
    }
}
