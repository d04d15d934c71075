package io.github.cassandralock.internal.majority;

import io.github.cassandralock.spi.Grant;

/**
 * The lock as it is held in one cluster. It is valid while the grant is, and while a read of the last lease has shown the
 * cluster as it was. If no read has, the cluster may have forgotten the part, and other processes may count that cluster
 * again. If a later read shows it as it was, the part is valid again, and was held meanwhile.
 *
 * @param epoch of the cluster, before the part was asked for
 */
record Part(ClusterWatch cluster, Grant grant, int epoch) {

    boolean isValid() {
        return cluster.hasShown(epoch) && grant.isValid();
    }

    /** For people: why it is not valid. */
    String end() {
        return isOfItsCluster()
                ? grant.lost().toCompletableFuture().getNow("the cluster has not answered for a lease")
                : cluster.forgotten();
    }

    /** Whether the cluster is not known to have forgotten it. */
    boolean isOfItsCluster() {
        return cluster.view().epoch() == epoch;
    }
}
