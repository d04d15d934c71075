package io.github.cassandralock.benchmarks.outbox;

/**
 * A row of {@code exactly-once.json}: medians of all runs.
 *
 * @param way how messages were passed
 * @param group messages of a group
 * @param messages of a pass
 */
public record Throughput(
        String way,
        int group,
        long messages,
        double messagesPerSecond,
        double requestsPerMessage,
        double commitsPerMessage) {}
