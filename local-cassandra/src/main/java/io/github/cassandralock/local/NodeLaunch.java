package io.github.cassandralock.local;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a start of a node needs, at first and later.
 *
 * @param number from 1
 * @param of how many nodes there are
 * @param environment added to the parent's
 * @param startTimeout from launch until the node is up
 */
record NodeLaunch(
        int number,
        int of,
        InetSocketAddress address,
        NodeDirectory directory,
        List<String> command,
        Map<String, String> environment,
        Duration startTimeout) {

    NodeLaunch {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    String host() {
        return address.getAddress().getHostAddress();
    }

    @Override
    public String toString() {
        return "Node " + number + " of " + of + " at " + host() + ":" + address.getPort();
    }
}
