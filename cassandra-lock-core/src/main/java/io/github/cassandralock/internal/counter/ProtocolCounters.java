package io.github.cassandralock.internal.counter;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts events of the algorithms in this process since its start. Adding never blocks, waits or throws, so it may be done on the
 * threads that renew leases. Thread-safe.
 */
public final class ProtocolCounters {

    private final Map<Counted, LongAdder> counters = new EnumMap<>(Counted.class);

    public ProtocolCounters() {
        for (Counted what : Counted.values()) {
            counters.put(what, new LongAdder());
        }
    }

    public void add(Counted what) {
        counter(what).increment();
    }

    /** The number of events so far. Never falls. */
    public long sum(Counted what) {
        return counter(what).sum();
    }

    private LongAdder counter(Counted what) {
        return Objects.requireNonNull(counters.get(what));
    }
}
