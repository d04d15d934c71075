package io.github.cassandralock.exactlyonce.copy;

/**
 * Keeps the process alive. Copies work in daemon threads, and a process without other threads ends. Implementations are
 * thread-safe, and do not block.
 */
public interface KeepAlive {

    /** Keeps the process alive until {@link #end} was called as often as this method. */
    void begin();

    /** Reverts one call of {@link #begin}. */
    void end();

    /** Does nothing. Something else keeps the process alive, or nothing does. */
    static KeepAlive none() {
        return new KeepAlive() {
            @Override
            public void begin() {}

            @Override
            public void end() {}
        };
    }

    /**
     * Keeps the process alive by a thread that only waits, from the first {@link #begin} to the last {@link #end}. An interrupt
     * also ends it.
     *
     * @param threadName the name of the thread
     */
    static KeepAlive byThread(String threadName) {
        return new KeepAliveThread(threadName);
    }
}
