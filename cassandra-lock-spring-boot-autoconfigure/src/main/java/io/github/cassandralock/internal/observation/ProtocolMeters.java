package io.github.cassandralock.internal.observation;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.inspect.LockFigures;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToLongFunction;

/** Counts of the locker and the algorithms, as meters. They cost no more than their reading. */
public record ProtocolMeters(AlgorithmLocker locker, ProtocolCounters counters) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("cassandra.lock.waiting", locker, AlgorithmLocker::waitingCalls)
                .description("Calls that wait for a lock now")
                .register(registry);
        Gauge.builder("cassandra.lock.held", locker, AlgorithmLocker::heldLocks)
                .description("Locks that are held now")
                .register(registry);
        lost(registry, LockFigures::lost, "lease");
        lost(registry, LockFigures::lostByShutdown, "shutdown");
        renewals(registry, Counted.RENEWAL_CONFIRMED, "confirmed");
        renewals(registry, Counted.RENEWAL_UNANSWERED, "unanswered");
        renewals(registry, Counted.RENEWAL_REFUSED, "refused");
        count(registry, Counted.SESSION_LOST, "sessions.lost", "Sessions of this process that were lost");
        count(
                registry,
                Counted.SESSION_DECLARED_DEAD,
                "sessions.declared.dead",
                "Sessions of other processes that this one declared dead");
        count(
                registry,
                Counted.SLOT_EVICTED,
                "evictions",
                "Locks, and queues for them, that dead sessions were evicted from");
        count(
                registry,
                Counted.HANDED_OVER,
                "local.handovers",
                "Locks that threads of this process handed to each other");
        count(
                registry,
                Counted.DEADLOCK_VICTIM,
                "deadlock.victims",
                "Calls of this process that were ended with an exception because of a deadlock");
        count(registry, Counted.NOTICE_SENT, "notices.sent", "Notices that were given to the transport");
        count(registry, Counted.NOTICE_RECEIVED, "notices.received", "Authentic notices that arrived");
        count(registry, Counted.NOTICE_REFUSED, "notices.refused", "Frames that arrived and were no authentic notices");
        count(registry, Counted.NOTICE_DROPPED, "notices.dropped", "Notices that could not be sent");
    }

    private void lost(MeterRegistry registry, ToLongFunction<LockFigures> number, String cause) {
        FunctionCounter.builder("cassandra.lock.lost", locker, all -> number.applyAsLong(all.figures()))
                .description("Locks that were lost while they were held")
                .tag("cause", cause)
                .register(registry);
    }

    private void renewals(MeterRegistry registry, Counted what, String outcome) {
        count(registry, what, "renewals", "Renewals of leases", "outcome", outcome);
    }

    private void count(MeterRegistry registry, Counted what, String name, String description, String... tags) {
        FunctionCounter.builder("cassandra.lock." + name, counters, all -> all.sum(what))
                .description(description)
                .tags(tags)
                .register(registry);
    }
}
