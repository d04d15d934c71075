package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.assembly.Inspections;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.operator.TicketBreaker;
import io.github.cassandralock.internal.time.Timers;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.WallClock;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Creates what shows and breaks locks of the auto-configured algorithm. With a lazy start, that is possible once the algorithm is
 * there.
 */
final class InspectionFactory {

    private final CassandraLockProperties properties;
    private final ListableBeanFactory beans;
    private final Timers timers;
    private final WallClock wallClock;
    private final AlgorithmLocker locker;
    private final LockAlgorithm algorithm;

    /**
     * @param wallClock is compared with the times at which threads arrived, for people
     * @param algorithm of the locker
     */
    InspectionFactory(
            CassandraLockProperties properties,
            ListableBeanFactory beans,
            Timers timers,
            WallClock wallClock,
            AlgorithmLocker locker,
            LockAlgorithm algorithm) {
        this.properties = properties;
        this.beans = beans;
        this.timers = timers;
        this.wallClock = wallClock;
        this.locker = locker;
        this.algorithm = algorithm;
    }

    String algorithm() {
        return algorithm.name();
    }

    /**
     * Empty for an algorithm of the application's own. Blocks: statements may be prepared.
     *
     * @throws IllegalStateException if the algorithm is not there yet
     */
    Optional<LockInspection> inspection() {
        LockAlgorithm present = present()
                .orElseThrow(() -> new IllegalStateException(
                        "this application has not been able to use Cassandra since its start (health says why)"));
        return inspections().of(present);
    }

    /** Empty unless the algorithm is {@code ticket}, and is there. */
    Optional<TicketBreaker.Means> meansToBreak() {
        return present()
                .filter(TicketAlgorithm.class::isInstance)
                .map(TicketAlgorithm.class::cast)
                .map(ticket -> inspections().meansToBreak(ticket));
    }

    private Optional<LockAlgorithm> present() {
        return algorithm instanceof DeferredAlgorithm deferred ? deferred.created() : Optional.of(algorithm);
    }

    private Inspections inspections() {
        return new Inspections(
                properties.settings(),
                () -> beans.getBean(CassandraAccess.class).ports(),
                beans.getBeanProvider(RequestObserver.class).getIfAvailable(() -> RequestObserver.NONE),
                timers,
                wallClock,
                locker::threadIdPrefix);
    }
}
