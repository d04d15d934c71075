package io.github.cassandralock.internal.majority;

import io.github.cassandralock.spi.Grant;

/**
 * The lock as it is held in one cluster. It is valid until the grant is lost, or the cluster is seen to have become
 * another one; its validity never returns.
 *
 * @param epoch of the cluster, before the part was asked for
 */
record Part(ClusterWatch cluster, Grant grant, int epoch) {

    boolean isValid() {
        return isOfItsCluster() && grant.isValid();
    }

    /** Whether the cluster is not known to have forgotten it. */
    boolean isOfItsCluster() {
        return cluster.view().epoch() == epoch;
    }
}
