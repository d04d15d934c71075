package io.github.cassandralock.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Chooses addresses at which no process listens.
 *
 * <p>Random subnets and random ports separate builds that start at the same moment. Ports are below the ranges that operating
 * systems use for outgoing connections. A node that starts again minutes later must find its port free.
 */
final class LoopbackAddresses {

    private static final int LOWEST_PORT = 10_000;
    private static final int HIGHEST_PORT = 30_000;
    private static final int ATTEMPTS = 50;

    private final RandomGenerator random;

    LoopbackAddresses(RandomGenerator random) {
        this.random = random;
    }

    /**
     * @throws LocalCassandraException if the system has too few loopback addresses, or no two ports are free on all of them
     */
    ClusterAddresses choose(int nodes) {
        List<InetAddress> hosts = hosts(nodes);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int storagePort = random.nextInt(LOWEST_PORT, HIGHEST_PORT);
            int nativePort = random.nextInt(LOWEST_PORT, HIGHEST_PORT);
            if (storagePort != nativePort && areFree(hosts, storagePort) && areFree(hosts, nativePort)) {
                return new ClusterAddresses(hosts, storagePort, nativePort);
            }
        }
        throw new LocalCassandraException("No two ports between " + LOWEST_PORT + " and " + HIGHEST_PORT
                + " were found free on " + hosts + " in " + ATTEMPTS + " attempts");
    }

    private List<InetAddress> hosts(int nodes) {
        if (nodes == 1) {
            return subnet(0, 0, 1);
        }
        List<InetAddress> own = subnet(random.nextInt(1, 255), random.nextInt(0, 256), nodes);
        if (areFree(own, 0)) {
            return own;
        }
        List<InetAddress> aliases = subnet(0, 0, nodes);
        if (areFree(aliases, 0)) {
            return aliases;
        }
        throw new LocalCassandraException(nodes + " nodes need " + nodes
                + " loopback addresses, and this system has not set up 127.0.0.2 and on. On macOS, add them until the"
                + " next reboot. Run one command for each number from 2 to " + nodes
                + ": sudo ifconfig lo0 alias 127.0.0.2 up. Or start a single node.");
    }

    private static List<InetAddress> subnet(int second, int third, int nodes) {
        return IntStream.rangeClosed(1, nodes)
                .mapToObj(node -> address(second, third, node))
                .toList();
    }

    private static InetAddress address(int second, int third, int fourth) {
        try {
            return InetAddress.getByAddress(new byte[] {127, (byte) second, (byte) third, (byte) fourth});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("Four bytes are always an address", e);
        }
    }

    /** @param port 0 tests only whether the hosts are addresses of this system */
    private static boolean areFree(List<InetAddress> hosts, int port) {
        return hosts.stream().allMatch(host -> isFree(host, port));
    }

    private static boolean isFree(InetAddress host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
