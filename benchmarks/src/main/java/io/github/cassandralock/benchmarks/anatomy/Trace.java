package io.github.cassandralock.benchmarks.anatomy;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.QueryTrace;
import com.datastax.oss.driver.api.core.cql.TraceEvent;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What Cassandra tells about one operation.
 *
 * @param coordinatorMicros from its arrival at the coordinator to its end there
 * @param replicaMicros of that, the quickest other replica's own time: with the coordinator's copy it makes the quorum of
 *     three. None where there is no other
 */
record Trace(long coordinatorMicros, long replicaMicros) {

    /** Blocks until Cassandra has it. */
    static Trace of(ExecutionInfo execution) {
        QueryTrace trace = execution.getQueryTrace();
        InetSocketAddress coordinator = trace.getCoordinatorAddress();
        Map<InetSocketAddress, List<TraceEvent>> byNode = trace.getEvents().stream()
                .filter(event -> event.getSourceAddress() != null)
                .collect(Collectors.groupingBy(TraceEvent::getSourceAddress));
        byNode.remove(coordinator);
        return new Trace(
                trace.getDurationMicros(),
                byNode.values().stream().mapToLong(Trace::lastMicros).min().orElse(0));
    }

    private static long lastMicros(Collection<TraceEvent> events) {
        return events.stream()
                .mapToLong(TraceEvent::getSourceElapsedMicros)
                .max()
                .orElse(0);
    }
}
