package io.github.cassandralock.internal.exactlyonce;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** One copy of a handler, a sink or a pump: it is started once and closed once. Thread-safe. */
interface Copy {

    void start();

    /** Interrupts its thread and waits for its end; returns whether it has ended. */
    boolean close(Duration longest) throws InterruptedException;

    boolean isRunning();

    /** Why it ended although nobody closed it. */
    Optional<Throwable> failure();

    /** Input queue → index of the next message, as far as the copy knows. */
    Map<String, Long> positions();

    /** How far it is, for people; empty if it does not know yet. */
    Map<String, Object> details();
}
