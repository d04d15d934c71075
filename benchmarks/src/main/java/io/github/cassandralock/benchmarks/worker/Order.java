package io.github.cassandralock.benchmarks.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.time.Duration;

/** A line on a worker's standard input. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Order.Connect.class, name = "connect"),
    @JsonSubTypes.Type(value = Order.Take.class, name = "take"),
    @JsonSubTypes.Type(value = Order.Keep.class, name = "keep"),
    @JsonSubTypes.Type(value = Order.Weigh.class, name = "weigh")
})
sealed interface Order {

    /** Whose contenders it is about. */
    Algorithm algorithm();

    /**
     * To have so many contenders from now on.
     *
     * @param address of the algorithm's server
     */
    record Connect(Algorithm algorithm, String address, int contenders) implements Order {}

    /**
     * To take locks.
     *
     * @param startAt when to begin, on the machine's monotonic clock
     * @param queuedAt by then all that contend for one lock wait for it: whoever gets it first holds it until then
     */
    record Take(Algorithm algorithm, Work work, long startAt, long queuedAt) implements Order {}

    /**
     * To take so many locks at the same time, to keep them all for that long, and to release them; what is sent while they are
     * kept is counted.
     */
    record Keep(Algorithm algorithm, String lockId, int locks, Duration time) implements Order {}

    /** To say how much heap is in use after a garbage collection. */
    record Weigh(Algorithm algorithm) implements Order {}
}
