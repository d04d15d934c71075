package io.github.cassandralock.internal.observation;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import java.util.Locale;

/**
 * Counts of the locker and the algorithms, as meters. The locker and the algorithms count in any case. A meter costs time only when
 * the registry reads its count.
 *
 * @param tags of each meter
 */
public record ProtocolMeters(
        MeterRegistry registry, Iterable<Tag> tags, AlgorithmLocker locker, ProtocolCounters counters) {

    public void register() {
        Gauge.builder("cassandra.lock.waiting", locker, AlgorithmLocker::waitingCalls)
                .description("Calls that wait for a lock now")
                .tags(tags)
                .register(registry);
        Gauge.builder("cassandra.lock.held", locker, AlgorithmLocker::heldLocks)
                .description("Locks that are held now")
                .tags(tags)
                .register(registry);
        for (LockLoss.Reason reason : LockLoss.Reason.values()) {
            lost(reason);
        }
        renewals(Counted.RENEWAL_CONFIRMED, "confirmed");
        renewals(Counted.RENEWAL_UNANSWERED, "unanswered");
        renewals(Counted.RENEWAL_REFUSED, "refused");
        count(Counted.SESSION_LOST, "sessions.lost", "Sessions of this process that were lost");
        count(
                Counted.SESSION_DECLARED_DEAD,
                "sessions.declared.dead",
                "Sessions of other processes that this process declared dead");
        count(Counted.SLOT_EVICTED, "evictions", "Locks, and queues for them, that dead sessions were evicted from");
        count(Counted.HANDED_OVER, "local.handovers", "Locks that threads of this process handed to each other");
        count(
                Counted.DEADLOCK_VICTIM,
                "deadlock.victims",
                "Calls of this process that were ended with an exception because of a deadlock");
        count(Counted.NOTICE_SENT, "notices.sent", "Notices that were given to the transport");
        count(Counted.NOTICE_RECEIVED, "notices.received", "Authentic notices that arrived");
        count(Counted.NOTICE_REFUSED, "notices.refused", "Frames that arrived and were no authentic notices");
        count(Counted.NOTICE_DROPPED, "notices.dropped", "Notices that could not be sent");
    }

    private void lost(LockLoss.Reason reason) {
        FunctionCounter.builder(
                        "cassandra.lock.lost",
                        locker,
                        all -> all.figures().losses().getOrDefault(reason, 0L))
                .description("Locks that were lost while they were held")
                .tags(tags)
                .tag("loss", reason.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private void renewals(Counted what, String outcome) {
        count(what, "renewals", "Renewals of leases", "outcome", outcome);
    }

    private void count(Counted what, String name, String description, String... others) {
        FunctionCounter.builder("cassandra.lock." + name, counters, all -> all.sum(what))
                .description(description)
                .tags(tags)
                .tags(others)
                .register(registry);
    }
}
