package io.github.cassandralock.it;

import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.tracker.RequestTracker;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** The CQL that one application's session has sent, a batch counting as one. The driver makes it: see recording.conf. */
public final class SentStatements implements RequestTracker {

    /** What makes an application record its statements. */
    static final String ARGUMENT = "--spring.cassandra.config=classpath:recording.conf";

    /** By the name of the session: the driver makes trackers, and gives nobody a way to them. */
    private static final Map<String, SentStatements> TRACKERS = new ConcurrentHashMap<>();

    private final AtomicLong count = new AtomicLong();
    private final Collection<String> recorded = new ConcurrentLinkedQueue<>();
    private volatile boolean recording;

    /** Called by the driver. */
    public SentStatements(DriverContext context) {
        TRACKERS.put(context.getSessionName(), this);
    }

    static SentStatements of(Application application) {
        return Objects.requireNonNull(
                TRACKERS.get(application.session().getContext().getSessionName()),
                "start the application with " + ARGUMENT);
    }

    long count() {
        return count.get();
    }

    /** The statements sent while the action runs. */
    List<String> during(Runnable action) {
        recorded.clear();
        recording = true;
        action.run();
        recording = false;
        return List.copyOf(recorded);
    }

    @Override
    public void onSuccess(
            Request request, long latencyNanos, DriverExecutionProfile profile, Node node, String requestLogPrefix) {
        record(request);
    }

    @Override
    public void onError(
            Request request,
            Throwable error,
            long latencyNanos,
            DriverExecutionProfile profile,
            Node node,
            String requestLogPrefix) {
        record(request);
    }

    private void record(Request request) {
        count.incrementAndGet();
        if (recording) {
            recorded.add(text(request));
        }
    }

    private static String text(Request request) {
        if (request instanceof BoundStatement bound) {
            return bound.getPreparedStatement().getQuery();
        }
        return request instanceof BatchStatement ? "BATCH" : request.toString();
    }

    @Override
    public void close() {
        TRACKERS.values().remove(this);
    }
}
