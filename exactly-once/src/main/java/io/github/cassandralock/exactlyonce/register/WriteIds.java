package io.github.cassandralock.exactlyonce.register;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Draws the ids of one process's writes. No two are equal. Thread-safe. */
public final class WriteIds {

    private final UUID process;
    private final AtomicLong counter = new AtomicLong();

    private WriteIds(UUID process) {
        this.process = process;
    }

    /** The ids of a process that was just named at random. */
    public static WriteIds ofNewProcess() {
        return new WriteIds(UUID.randomUUID());
    }

    /**
     * The ids of a process with a given name.
     *
     * @param process never used before, not by an earlier run of the same program either
     * @return ids that begin with 1
     */
    public static WriteIds of(UUID process) {
        return new WriteIds(process);
    }

    /** A new id. */
    public WriteId next() {
        return new WriteId(process, counter.incrementAndGet());
    }
}
