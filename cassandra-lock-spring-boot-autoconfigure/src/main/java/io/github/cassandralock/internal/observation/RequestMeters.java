package io.github.cassandralock.internal.observation;

import io.github.cassandralock.internal.cassandra.LockTable;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Timers of the requests to the lock tables. Thread-safe. */
public final class RequestMeters implements RequestObserver {

    private record Key(LockTable table, Kind kind, boolean answered) {}

    private final MeterRegistry registry;
    private final Iterable<Tag> tags;

    /** A table, a kind and an outcome each: a few dozen at most. */
    private final ConcurrentMap<Key, Timer> timers = new ConcurrentHashMap<>();

    /** @param tags of each meter */
    public RequestMeters(MeterRegistry registry, Iterable<Tag> tags) {
        this.registry = registry;
        this.tags = tags;
    }

    @Override
    public void ended(LockTable table, Kind kind, Duration took, boolean answered) {
        timers.computeIfAbsent(new Key(table, kind, answered), this::timer).record(took);
    }

    private Timer timer(Key key) {
        return Timer.builder("cassandra.lock.operations")
                .description("Operations in Cassandra on the lock tables")
                .tags(tags)
                .tag("table", key.table().tableName())
                .tag("operation", key.kind().name().toLowerCase(Locale.ROOT))
                .tag("outcome", key.answered() ? "answered" : "failed")
                .register(registry);
    }
}
