package io.github.cassandralock.local;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Where the nodes of a cluster listen: each has its own host, all have the same two ports.
 *
 * @param hosts one per node, in node order
 */
record ClusterAddresses(List<InetAddress> hosts, int storagePort, int nativePort) {

    ClusterAddresses {
        hosts = List.copyOf(hosts);
    }

    /** @param number of the node, from 1 */
    InetSocketAddress nativeAddress(int number) {
        return new InetSocketAddress(hosts.get(number - 1), nativePort);
    }
}
