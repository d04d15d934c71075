package io.github.cassandralock.exactlyonce.register;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/** Draws the ids of one process's writes. All are different. Thread-safe. */
public final class WriteIds {

    private record Series(UUID process, AtomicLong counter) {}

    private volatile Series series;

    private WriteIds(UUID process) {
        series = new Series(process, new AtomicLong());
    }

    /** The ids of a process with a new random name. */
    public static WriteIds ofNewProcess() {
        return new WriteIds(UUID.randomUUID());
    }

    /**
     * The ids of a process with a given name.
     *
     * @param process never used before, not even by an earlier run of the program
     * @return ids whose counter begins with 1
     */
    public static WriteIds of(UUID process) {
        return new WriteIds(process);
    }

    public WriteId next() {
        Series present = series;
        return new WriteId(present.process(), present.counter().incrementAndGet());
    }

    /**
     * Gives the process a new random name. A process that was restored from a checkpoint needs it, because the checkpoint may be
     * restored several times. Two processes with equal ids would each mistake the other's writes for their own. Writes under way
     * keep their ids.
     */
    public void renew() {
        series = new Series(UUID.randomUUID(), new AtomicLong());
    }
}
