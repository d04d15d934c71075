package io.github.cassandralock.local;

/** Closes a cluster when the JVM shuts down. Thread-safe. */
final class ShutdownHook {

    private final Thread thread;

    /** @param close ends the cluster */
    ShutdownHook(Runnable close) {
        this.thread = new Thread(close, "local-cassandra-shutdown");
    }

    void add() {
        Runtime.getRuntime().addShutdownHook(thread);
    }

    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // the JVM is shutting down, perhaps by this hook
        }
    }
}
