package io.github.cassandralock.exactlyonce.register;

import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.github.cassandralock.exactlyonce.time.Pauser;
import java.time.Duration;
import java.util.Objects;

/**
 * The registers of one store, as one process uses them. Thread-safe.
 *
 * @param store where they are
 * @param writeIds the ids of this process's writes
 * @param pauser how a thread waits before it sends a request again
 * @param pauses how long it waits
 */
public record Registers(RegisterStore store, WriteIds writeIds, Pauser pauser, GrowingPauses pauses) {

    /** The longest name of a register, in characters. */
    public static final int LONGEST_NAME = 512;

    private static final GrowingPauses DEFAULT_PAUSES = new GrowingPauses(Duration.ofMillis(5), Duration.ofSeconds(2));

    /** Checks that nothing is missing. */
    public Registers {
        Objects.requireNonNull(store, "store");
        Objects.requireNonNull(writeIds, "writeIds");
        Objects.requireNonNull(pauser, "pauser");
        Objects.requireNonNull(pauses, "pauses");
    }

    /** The registers of a store, for a process that was just named; requests are sent again after 5 ms to 2 s. */
    public static Registers of(RegisterStore store) {
        return new Registers(store, WriteIds.ofNewProcess(), Pauser.ofThread(), DEFAULT_PAUSES);
    }

    /**
     * One register. Needs no I/O: a register that nobody has written has version 0.
     *
     * @param name 1 to 512 characters
     * @return the register
     * @throws IllegalArgumentException if the name is empty or too long
     */
    public VersionedRegister named(String name) {
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The name of a register has 1 to " + LONGEST_NAME + " characters, not "
                    + name.length() + ": " + name);
        }
        return new VersionedRegister(name, this);
    }
}
