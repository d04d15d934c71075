package io.github.cassandralock.exactlyonce.copy;

/**
 * Keeps the process alive: copies work in daemon threads, and a process without other threads ends. Implementations are
 * thread-safe, and do not block.
 */
public interface KeepAlive {

    /** The process lives until {@link #end} was called as often as this method. */
    void begin();

    /** Takes one call of {@link #begin} back. */
    void end();

    /** Does nothing: others keep the process alive, or nobody does. */
    static KeepAlive none() {
        return new KeepAlive() {
            @Override
            public void begin() {}

            @Override
            public void end() {}
        };
    }

    /**
     * Keeps the process alive by a thread that does nothing. It is there from the first {@link #begin} to the last {@link #end}.
     * An interrupt ends it, too.
     *
     * @param threadName the name of the thread
     */
    static KeepAlive byThread(String threadName) {
        return new KeepAliveThread(threadName);
    }
}
