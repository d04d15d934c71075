package io.github.cassandralock.local;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where a cluster's nodes listen: one host each, the same two ports on all.
 *
 * @param hosts one per node, in node order
 */
record ClusterAddresses(List<InetAddress> hosts, int storagePort, int nativePort) {

    ClusterAddresses {
        hosts = List.copyOf(hosts);
    }

    /** @param number the node's, from 1 */
    InetSocketAddress nativeAddress(int number) {
        return new InetSocketAddress(hosts.get(number - 1), nativePort);
    }
}
