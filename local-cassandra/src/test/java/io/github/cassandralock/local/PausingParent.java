package io.github.cassandralock.local;

import java.io.IOException;

/** A process that pauses its node and then does nothing. */
final class PausingParent {

    private PausingParent() {}

    public static void main(String[] args) throws IOException {
        try (LocalCassandra cassandra = LocalCassandra.start(1)) {
            LocalNode node = cassandra.node(1);
            node.pause();
            System.out.println("node 1: paused pid " + node.pid() + " .");
            while (System.in.read() >= 0) {
                // until killed
            }
        }
    }
}
