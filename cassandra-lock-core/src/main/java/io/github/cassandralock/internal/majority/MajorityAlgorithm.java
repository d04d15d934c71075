package io.github.cassandralock.internal.majority;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.LockAlgorithm;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The algorithm {@code majority}: a holder holds the lock in a majority of independent clusters. Each cluster has a correct lock
 * of its own. The locks survive the loss of a minority of whole clusters.
 *
 * <p>Guarantees at most one holder under two conditions. At any time, at most a minority of the clusters is young, is lost, or
 * has forgotten something. The conditions of the locks in the clusters hold. Locks are granted in the order of the first cluster
 * as long as all processes see the same clusters.
 *
 * <p>Source: docs/majority.md; Redlock, with leases that are renewed and measured, queues instead of random retries, and fencing
 * tokens.
 */
public class MajorityAlgorithm implements LockAlgorithm {

    /** The name in the configuration. */
    public static final String NAME = "majority";

    private final Clusters clusters;
    private final MajorityContext context;

    /**
     * Begins to watch the clusters. {@link #closeAsync()} closes their algorithms as well.
     *
     * @param clusters three or five, in the order in which all processes take them
     * @throws IllegalArgumentException if there are more or fewer, or two with one id
     */
    public MajorityAlgorithm(List<Cluster> clusters, MajorityContext context) {
        this.context = context;
        this.clusters = new Clusters(clusters, context);
        this.clusters.start();
    }

    @Override
    public String getName() {
        return NAME;
    }

    /**
     * Supports exclusive locks only. In other modes, two holders of different majorities would each exclude a third one that is
     * compatible with both. Conversions would have to be made in all clusters at one instant.
     */
    @Override
    public Attempt acquire(AcquireRequest request) {
        return new MajorityAttempt(clusters, context, request.requireExclusive(NAME)).started();
    }

    Clusters clusters() {
        return clusters;
    }

    /** Completes when each cluster has shown a birth row, or has not answered. */
    public CompletionStage<Void> watched() {
        CompletableFuture<Void> all = new CompletableFuture<>();
        Runnable look = () -> {
            if (clusters.isClosed() || clusters.all().stream().allMatch(ClusterWatch::wasSeen)) {
                all.complete(null);
            }
        };
        clusters.onChange(look);
        all.whenComplete((done, failure) -> clusters.forget(look));
        look.run();
        return all;
    }

    /** Why no process may take a lock by this configuration; empty if no fault was seen. */
    public Optional<String> misconfiguration() {
        return clusters.misconfiguration();
    }

    /** The state of each cluster, in their order, for people. */
    public List<ClusterState> states() {
        return clusters.states();
    }

    @Override
    public void abandonAll(LockLoss loss) {
        clusters.all().forEach(cluster -> cluster.algorithm().abandonAll(loss));
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        clusters.close();
        return Operation.all(
                clusters.all().stream().map(cluster -> cluster.algorithm().closeAsync()));
    }
}
