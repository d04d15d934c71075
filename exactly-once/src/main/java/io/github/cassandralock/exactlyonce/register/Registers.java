package io.github.cassandralock.exactlyonce.register;

import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Duration;
import java.util.Objects;

/**
 * The registers of one store, for one process. Thread-safe.
 *
 * @param store where they are
 * @param writeIds the ids of this process's writes
 * @param pauser how a thread waits before it sends a request again
 * @param pauses how long it waits
 */
public record Registers(RegisterStore store, WriteIds writeIds, Pauser pauser, GrowingPauses pauses) {

    private static final GrowingPauses DEFAULT_PAUSES = new GrowingPauses(Duration.ofMillis(5), Duration.ofSeconds(2));

    public Registers {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(writeIds, "writeIds");
        Objects.requireNonNull(pauser, "pauser");
        Objects.requireNonNull(pauses, "pauses");
    }

    /** The registers of a store, for a process with a new random name. Requests are repeated after pauses of 5 ms to 2 s. */
    public static Registers of(RegisterStore store) {
        return new Registers(store, WriteIds.ofNewProcess(), Pauser.ofThread(), DEFAULT_PAUSES);
    }

    /**
     * One register. Does no I/O: a register that nobody has written has version 0.
     *
     * @param name as {@link RegisterLimits} allows it
     * @return the register
     * @throws IllegalArgumentException if no store would accept the name
     */
    public VersionedRegister named(String name) {
        RegisterLimits.requireName(name);
        return new VersionedRegister(name, this);
    }
}
