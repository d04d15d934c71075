package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.util.List;
import picocli.CommandLine.Option;

/** The locks of others that threads share, and that have readers and writers, and permits. */
final class PeersOption {

    @Option(
            names = "--with",
            split = "\\s*,\\s*",
            description = "Which locks of others: redisson, curator (default: both)")
    private List<Algorithm> peers = List.of(Algorithm.REDISSON, Algorithm.CURATOR);

    List<Algorithm> besideTheTicketLock() {
        return PeersExperiment.besideTheTicketLock(peers);
    }
}
