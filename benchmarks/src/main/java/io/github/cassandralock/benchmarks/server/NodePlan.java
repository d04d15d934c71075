package io.github.cassandralock.benchmarks.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All it takes to start one process of a peer.
 *
 * @param name for messages
 * @param command is run in the node's own directory, so what the node writes goes to relative paths
 * @param files by relative path, what the directory holds at the start
 * @param user whom to run the command as, and give the directory to; empty: this JVM's
 * @param stopSignal what ends the process without regard for its data
 */
record NodePlan(
        String name,
        List<String> command,
        Map<String, String> files,
        Optional<String> user,
        String stopSignal,
        Readiness readiness) {

    NodePlan {
        command = List.copyOf(command);
        files = Map.copyOf(files);
    }

    /** A process that SIGKILL ends with nothing left behind. */
    static NodePlan of(String name, List<String> command, Map<String, String> files, Readiness readiness) {
        return new NodePlan(name, command, files, Optional.empty(), "KILL", readiness);
    }
}
