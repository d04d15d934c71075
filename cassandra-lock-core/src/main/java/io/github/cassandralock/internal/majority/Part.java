package io.github.cassandralock.internal.majority;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.spi.Grant;

/**
 * The lock as it is held in one cluster. A part is valid under two conditions. The grant is valid, and a read within the last
 * lease has shown the cluster in its epoch. Without such a read, the cluster may have forgotten the part, and other processes may
 * count the cluster again. If a later read shows the epoch, the part is valid again, and was held meanwhile.
 *
 * @param epoch of the cluster, before the part was requested
 */
record Part(ClusterWatch cluster, Grant grant, int epoch) {

    boolean isValid() {
        return cluster.hasShown(epoch) && grant.isValid();
    }

    /** Why it is not valid. */
    LockLoss end() {
        return isOfItsCluster()
                ? grant.getLoss()
                        .toCompletableFuture()
                        .getNow(new LockLoss(Reason.LEASE_EXPIRED, "the cluster has not answered for a lease"))
                : cluster.forgotten();
    }

    /** Whether no read has shown that the cluster has forgotten it. */
    boolean isOfItsCluster() {
        return cluster.view().epoch() == epoch;
    }
}
