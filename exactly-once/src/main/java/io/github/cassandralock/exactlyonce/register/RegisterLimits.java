package io.github.cassandralock.exactlyonce.register;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of every store, equal for all so that registers can be moved from one store to another. Each store checks them before
 * it sends anything. The methods throw at once and do no I/O.
 */
public final class RegisterLimits {

    /** In UTF-16 code units. PostgreSQL indexes names of at most 2,704 bytes; 512 units are at most 1,536 bytes of UTF-8. */
    public static final int MAX_NAME_LENGTH = 512;

    /**
     * In bytes: 1 MiB. Values above some 100 kB are slow. A Cassandra node with a small heap takes no request above 4 MiB. A
     * lightweight transaction that was accepted, but is too large to be committed, would block its register.
     */
    public static final int MAX_VALUE_BYTES = 1024 * 1024;

    private RegisterLimits() {}

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException if the name is empty or too long, or has control characters or unpaired surrogates. Stores
     *     would refuse it, or treat two such names as one
     */
    public static void requireName(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty() || name.length() > MAX_NAME_LENGTH) {
            throw new IllegalArgumentException("The name of a register has 1 to " + MAX_NAME_LENGTH
                    + " characters, but this name has " + name.length() + ". Choose another name.");
        }
        if (name.codePoints().anyMatch(RegisterLimits::isUnfit)) {
            throw new IllegalArgumentException(
                    "The name of a register has neither control characters nor surrogates that"
                            + " are not paired, but '" + name + "' has. Choose another name.");
        }
    }

    /**
     * Checks the time-out in the settings of a store.
     *
     * @throws IllegalArgumentException if it is less than 1 ms
     */
    public static void requireTimeout(Duration timeout) {
        if (timeout.toMillis() < 1) {
            throw new IllegalArgumentException(
                    "The time-out of requests to registers must be at least 1 ms, not " + timeout);
        }
    }

    private static boolean isUnfit(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE;
    }

    /**
     * Checks a compare-and-set.
     *
     * @param name of the register
     * @param expected the version that the register is to have
     * @param value what to write
     * @throws IllegalArgumentException if {@link #requireName} refuses the name, the version is negative or {@link Long#MAX_VALUE},
     *     or the value is too large
     */
    public static void requireRequest(String name, long expected, byte[] value) {
        requireName(name);
        Objects.requireNonNull(value, "value");
        if (expected < 0 || expected == Long.MAX_VALUE) {
            throw new IllegalArgumentException("A version is from 0 to " + (Long.MAX_VALUE - 1) + ", not " + expected
                    + ", which the register '" + name + "' is to have.");
        }
        if (value.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "A value has at most " + MAX_VALUE_BYTES + " bytes, but the one for the" + " register '" + name
                            + "' has " + value.length + ". Put large payloads aside and write a reference.");
        }
    }
}
