package io.github.cassandralock.exactlyonce.register;

/**
 * The port to a store of registers (exactly once, section 1). One request each, never repeated by the store or by its driver:
 * the register above it repeats. Implementations are thread-safe; every method blocks, for a bounded time, and may be
 * interrupted.
 *
 * <p>A register is never deleted and never expires, and a name is never used again: a version that starts over would let a late
 * compare-and-set take effect.
 */
public interface RegisterStore {

    /**
     * Reads a register. The answer may be old, but shows a version that was there once, with its write id and value.
     *
     * @param name of the register; 1 to 512 characters
     * @return what the register held
     * @throws RegisterUnavailableException if the store does not answer: transient; the caller may ask again
     * @throws RegisterRefusedException if the store refuses for good: permissions, schema, bad values
     * @throws InterruptedException if the thread was interrupted
     */
    StoredValue read(String name) throws InterruptedException;

    /**
     * Writes {@code value} as version {@code expected + 1} if the present version is {@code expected}.
     *
     * @param name of the register; 1 to 512 characters
     * @param expected the version that the register is to have; 0 if nobody has written it
     * @param value what to write
     * @param writeId kept with the new version
     * @return whether this request was applied; if it was not, the register as <b>this answer</b> of the store shows it
     * @throws UnknownOutcomeException if the store did not say whether the request was applied: it may be applied later
     * @throws RegisterUnavailableException if the request has certainly not been applied and never will be: transient
     * @throws RegisterRefusedException if the store refuses for good
     * @throws InterruptedException if the thread was interrupted: the request may have been applied, or may be applied later
     */
    CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException;
}
