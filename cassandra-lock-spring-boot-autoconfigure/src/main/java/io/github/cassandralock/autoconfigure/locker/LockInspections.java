package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.internal.assembly.Inspections;
import io.github.cassandralock.internal.inspect.LockInspection;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.internal.ticket.operator.TicketForceReleaser;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.Optional;

/**
 * Creates the inspection and the force-release of the auto-configured algorithm's locks. With a lazy start, that is possible once the algorithm is
 * there.
 */
public record LockInspections(LockAlgorithm algorithm, Inspections inspections) {

    /** Whether locks of this algorithm can be force-released, now or after a start in the background. */
    public boolean canForceRelease() {
        return algorithm instanceof TicketAlgorithm || algorithm instanceof DeferredAlgorithm;
    }

    /**
     * Empty for an algorithm of the application's own. Blocks: statements may be prepared.
     *
     * @throws IllegalStateException if the algorithm is not there yet
     */
    public Optional<LockInspection> inspection() {
        LockAlgorithm present = present()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "this application has not been able to use Cassandra since its start (health shows the reason)"));
        return inspections.of(present);
    }

    /** Empty unless the algorithm is {@code ticket}, and is there. */
    public Optional<TicketForceReleaser.Means> forceReleaseMeans() {
        return present()
                .filter(TicketAlgorithm.class::isInstance)
                .map(TicketAlgorithm.class::cast)
                .map(inspections::forceReleaseMeans);
    }

    private Optional<LockAlgorithm> present() {
        return algorithm instanceof DeferredAlgorithm deferred ? deferred.created() : Optional.of(algorithm);
    }
}
