package io.github.cassandralock.benchmarks.anatomy;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
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
    private final List<Long> tracedNanos = new ArrayList<>();
    private final List<ExecutionInfo> executions = new ArrayList<>();

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
        tracedNanos.add(timed());
        executions.addAll(session.stopTracing());
    }

    private long timed() throws Exception {
        long startedAt = System.nanoTime();
        action.call();
        return System.nanoTime() - startedAt;
    }

    /** Fetches the traces, which by now are complete. */
    Anatomy anatomy() {
        double micros = tracedNanos.stream().mapToLong(Long::longValue).sum() / NANOS_PER_MICRO;
        List<Trace> traces = executions.stream().map(Trace::of).toList();
        double coordinator = traces.stream().mapToLong(Trace::coordinatorMicros).sum();
        double replicas = traces.stream().mapToLong(Trace::replicaMicros).sum();
        return new Anatomy(
                what,
                executions.size() / (double) tracedNanos.size(),
                median(untracedNanos) / NANOS_PER_MILLI,
                (micros - coordinator) / micros,
                (coordinator - replicas) / micros,
                replicas / micros);
    }

    private static double median(List<Long> nanos) {
        return nanos.stream().sorted().toList().get(nanos.size() / 2);
    }
}
