package io.github.cassandralock.benchmarks.worker;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.time.Duration;

/** A line on a worker's standard input. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "order")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Order.Connect.class, name = "connect"),
    @JsonSubTypes.Type(value = Order.Begin.class, name = "begin"),
    @JsonSubTypes.Type(value = Order.Granted.class, name = "granted"),
    @JsonSubTypes.Type(value = Order.Count.class, name = "count"),
    @JsonSubTypes.Type(value = Order.Await.class, name = "await"),
    @JsonSubTypes.Type(value = Order.Write.class, name = "write"),
    @JsonSubTypes.Type(value = Order.Keep.class, name = "keep"),
    @JsonSubTypes.Type(value = Order.Weigh.class, name = "weigh")
})
sealed interface Order {

    /** Whose contenders it is about. */
    Algorithm algorithm();

    /**
     * Opens or closes contenders, until there are so many.
     *
     * @param address of the algorithm's server
     */
    record Connect(Algorithm algorithm, String address, int contenders) implements Order {}

    /**
     * Takes locks again and again until a part of it counts and is over. Answered when it has begun.
     *
     * @param arriving all threads begin within this time, each at an instant of its own
     */
    record Begin(Algorithm algorithm, Work work, Duration arriving) implements Order {}

    /** Asks how often locks have been granted since the work began. */
    record Granted(Algorithm algorithm) implements Order {}

    /** Notes the grants of this part, with which the work ends. Answered when the part has begun. */
    record Count(Algorithm algorithm, Part part) implements Order {}

    /** Awaits the end of the part. The answer is how many requests were sent in it. */
    record Await(Algorithm algorithm) implements Order {}

    /** Writes what was noted into a file. */
    record Write(Algorithm algorithm) implements Order {}

    /**
     * Takes so many locks at the same time, keeps them for that long, and releases them. The answer is how many requests were
     * sent while they were kept.
     */
    record Keep(Algorithm algorithm, String lockId, int locks, Duration time) implements Order {}

    /** Asks how much heap is in use after a garbage collection. */
    record Weigh(Algorithm algorithm) implements Order {}
}
