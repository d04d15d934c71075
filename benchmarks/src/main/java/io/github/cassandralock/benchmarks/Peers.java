package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.util.List;
import java.util.stream.Stream;

/** The locks of others that can be measured here. */
final class Peers {

    private Peers() {}

    /** Those whose servers are installed. For the others, what to install is printed. */
    static Stream<Algorithm> installed(List<Algorithm> peers) {
        return peers.stream().filter(Peers::isInstalled);
    }

    private static boolean isInstalled(Algorithm algorithm) {
        boolean installed = algorithm.peer().map(peer -> peer.isInstalled()).orElse(true);
        if (!installed) {
            System.err.println(algorithm + " is left out: its server is not installed. Install the package "
                    + algorithm.peer().orElseThrow().debianPackage() + " and run this again.");
        }
        return installed;
    }
}
