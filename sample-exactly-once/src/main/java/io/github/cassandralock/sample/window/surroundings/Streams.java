package io.github.cassandralock.sample.window.surroundings;

import io.github.cassandralock.exactlyonce.queue.Layout;

/** The queues of numbers. */
public final class Streams {

    public static final String FIRST = "stream-1";
    public static final String SECOND = "stream-2";

    /** The default of {@code exactly-once.queues}: all programs use the same. */
    static final Layout LAYOUT = new Layout.Ring(1_024);

    private Streams() {}
}
