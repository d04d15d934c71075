package io.github.cassandralock.benchmarks.server;

import java.io.IOException;

/** Starts the peer that its argument names, prints a line for each node, and waits for its end. */
final class PeerParent {

    private PeerParent() {}

    public static void main(String[] args) throws IOException {
        try (PeerServer server = PeerServer.start(Peer.valueOf(args[0]))) {
            for (PeerProcess node : server.nodes()) {
                System.out.println("node " + node.handle().pid() + " " + node.directory());
            }
            System.out.println("started");
            while (System.in.read() >= 0) {
                // nothing is typed
            }
        }
    }
}
