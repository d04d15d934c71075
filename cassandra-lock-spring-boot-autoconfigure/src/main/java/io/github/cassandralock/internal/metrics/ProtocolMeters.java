package io.github.cassandralock.internal.metrics;

import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.inspect.LockFigures;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToLongFunction;

/** What the locker and the algorithms count anyway, as meters. Reading them is all that they cost. */
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
        counter(Counted.SESSION_LOST, "sessions.lost", "Sessions of this process that were lost")
                .register(registry);
        counter(
                        Counted.SESSION_DECLARED_DEAD,
                        "sessions.declared.dead",
                        "Sessions of other processes that this one declared dead")
                .register(registry);
        counter(Counted.SLOT_EVICTED, "evictions", "Locks, and queues for them, that dead sessions were evicted from")
                .register(registry);
        counter(Counted.HANDED_OVER, "local.handovers", "Locks that threads of this process handed to each other")
                .register(registry);
        counter(
                        Counted.DEADLOCK_VICTIM,
                        "deadlock.victims",
                        "Calls of this process that were ended with an exception because of a deadlock")
                .register(registry);
        counter(Counted.NOTICE_SENT, "notices.sent", "Notices that were given to the transport")
                .register(registry);
        counter(Counted.NOTICE_RECEIVED, "notices.received", "Authentic notices that arrived")
                .register(registry);
        counter(Counted.NOTICE_REFUSED, "notices.refused", "Frames that arrived and were no authentic notices")
                .register(registry);
        counter(Counted.NOTICE_DROPPED, "notices.dropped", "Notices that could not be sent")
                .register(registry);
    }

    private void lost(MeterRegistry registry, ToLongFunction<LockFigures> number, String cause) {
        FunctionCounter.builder("cassandra.lock.lost", locker, all -> number.applyAsLong(all.figures()))
                .description("Locks that were lost while they were held")
                .tag("cause", cause)
                .register(registry);
    }

    private void renewals(MeterRegistry registry, Counted what, String outcome) {
        counter(what, "renewals", "Renewals of leases").tag("outcome", outcome).register(registry);
    }

    private FunctionCounter.Builder<ProtocolCounters> counter(Counted what, String name, String description) {
        return FunctionCounter.builder("cassandra.lock." + name, counters, all -> all.sum(what))
                .description(description);
    }
}
