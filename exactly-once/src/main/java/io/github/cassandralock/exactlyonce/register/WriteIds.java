package io.github.cassandralock.exactlyonce.register;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Draws the ids of one process's writes. No two are equal. Thread-safe. */
public final class WriteIds {

    private record Series(UUID process, AtomicLong counter) {}

    private volatile Series series;

    private WriteIds(UUID process) {
        series = new Series(process, new AtomicLong());
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
        Series present = series;
        return new WriteId(present.process(), present.counter().incrementAndGet());
    }

    /**
     * Names the process again, at random. For a process that was restored from a checkpoint: that may be restored
     * several times, and two processes must not draw the same ids, since each would take the other's writes for its
     * own. Writes that are under way keep their ids.
     */
    public void renew() {
        series = new Series(UUID.randomUUID(), new AtomicLong());
    }
}
