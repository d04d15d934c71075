package io.github.cassandralock.local;

import java.io.IOException;

/**
 * Runs a local Cassandra until Ctrl-C, SIGTERM, or the end of standard input. The one optional argument is the number of nodes,
 * default 1.
 */
public final class LocalCassandraMain {

    private LocalCassandraMain() {}

    /**
     * Runs until one of these events.
     *
     * @throws IllegalArgumentException if the argument is not a number of nodes
     */
    public static void main(String[] args) throws IOException {
        int nodes = args.length == 0 ? 1 : Integer.parseInt(args[0]);
        try (LocalCassandra cassandra = LocalCassandra.start(nodes)) {
            print(cassandra);
            while (System.in.read() >= 0) {
                // input has no meaning, only its end
            }
        }
    }

    private static void print(LocalCassandra cassandra) {
        for (LocalNode node : cassandra.nodes()) {
            System.out.println(
                    "node " + node.number() + ": " + address(node) + " pid " + node.pid() + " log " + node.logFile());
        }
        System.out.println("contact points: "
                + String.join(
                        ",",
                        cassandra.nodes().stream()
                                .map(LocalCassandraMain::address)
                                .toList()));
        System.out.println("local data centre: " + cassandra.localDatacenter());
        System.out.println("Running until Ctrl-C or the end of input");
    }

    private static String address(LocalNode node) {
        return node.address().getAddress().getHostAddress() + ":"
                + node.address().getPort();
    }
}
