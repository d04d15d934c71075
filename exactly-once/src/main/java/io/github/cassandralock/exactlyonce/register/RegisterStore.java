package io.github.cassandralock.exactlyonce.register;

/**
 * The port to a store of registers (exactly once, section 1). Each call sends its request once: neither the store nor its driver
 * repeats it, because {@link VersionedRegister} does. Implementations are thread-safe. Every method blocks for a bounded time and
 * can be interrupted.
 *
 * <p>A register is never deleted and never expires, and a name is never used again. Otherwise versions would start over, and a late
 * compare-and-set would take effect.
 */
public interface RegisterStore {

    /**
     * Reads a register. The answer may be old, but shows a version that the register once had, with its write id and value.
     *
     * @param name of the register; 1 to 512 characters
     * @return what the register held
     * @throws IllegalArgumentException if {@link RegisterLimits} refuses the name; nothing was sent
     * @throws RegisterUnavailableException if the store does not answer; another read may succeed
     * @throws RegisterRefusedException if the store refuses permanently, for example because of permissions or the schema
     * @throws InterruptedException if the thread was interrupted
     */
    StoredValue read(String name) throws InterruptedException;

    /**
     * Writes {@code value} as version {@code expected + 1} if the present version is {@code expected}.
     *
     * @param name of the register; 1 to 512 characters
     * @param expected the version that the register is to have; 0 if nobody has written it
     * @param value what to write; at most 1 MiB
     * @param writeId kept with the new version
     * @return whether this request was applied; if not, the register as <b>this answer</b> of the store shows it
     * @throws IllegalArgumentException if {@link RegisterLimits} refuses the request; nothing was sent
     * @throws UnknownOutcomeException if it is unknown whether the request was applied: it may be applied later
     * @throws RegisterUnavailableException if the request was not applied and never will be; another request may succeed
     * @throws RegisterRefusedException if the store refuses permanently
     * @throws InterruptedException if the thread was interrupted: the request may have been applied, or may be applied later
     */
    CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException;
}
