package io.github.cassandralock.benchmarks.outbox;

/**
 * What it took to pass messages.
 *
 * @param messages how many
 * @param seconds from the first request until the last message was delivered
 * @param requests round trips to the server; a commit that is a request of its own is one
 * @param commits of these, transactions that have changed something, each of which the server flushes to its disk
 */
public record Passage(long messages, double seconds, long requests, long commits) {

    double messagesPerSecond() {
        return messages / seconds;
    }

    double requestsPerMessage() {
        return requests / (double) messages;
    }

    double commitsPerMessage() {
        return commits / (double) messages;
    }
}
