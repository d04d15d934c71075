package io.github.cassandralock;

/**
 * What a holder does with the resource, and what others may do at the same time. Two holders share a lock if their modes are
 * compatible:
 *
 * <table>
 * <caption>Which modes are compatible</caption>
 * <tr><th></th><th>NULL</th><th>CONCURRENT_READ</th><th>CONCURRENT_WRITE</th><th>PROTECTED_READ</th><th>PROTECTED_WRITE</th>
 *     <th>EXCLUSIVE</th></tr>
 * <tr><th>NULL</th><td>yes</td><td>yes</td><td>yes</td><td>yes</td><td>yes</td><td>yes</td></tr>
 * <tr><th>CONCURRENT_READ</th><td>yes</td><td>yes</td><td>yes</td><td>yes</td><td>yes</td><td>no</td></tr>
 * <tr><th>CONCURRENT_WRITE</th><td>yes</td><td>yes</td><td>yes</td><td>no</td><td>no</td><td>no</td></tr>
 * <tr><th>PROTECTED_READ</th><td>yes</td><td>yes</td><td>no</td><td>yes</td><td>no</td><td>no</td></tr>
 * <tr><th>PROTECTED_WRITE</th><td>yes</td><td>yes</td><td>no</td><td>no</td><td>no</td><td>no</td></tr>
 * <tr><th>EXCLUSIVE</th><td>yes</td><td>no</td><td>no</td><td>no</td><td>no</td><td>no</td></tr>
 * </table>
 *
 * <p>Readers and writers need two modes: {@link #PROTECTED_READ} and {@link #EXCLUSIVE}.
 *
 * <p>Source: the modes of the lock manager of OpenVMS.
 */
public enum LockMode {

    /** Does nothing with the resource, and conflicts with nothing. */
    @Experimental
    NULL,

    /** Reads, and allows others to read and to write at the same time. */
    @Experimental
    CONCURRENT_READ,

    /** Writes, and allows others to write at the same time, or to read without protection. */
    @Experimental
    CONCURRENT_WRITE,

    /** Reads, and allows others to read, but not to write. The mode of readers. */
    PROTECTED_READ,

    /** Writes, and allows others to read without protection only ({@link #CONCURRENT_READ}). */
    @Experimental
    PROTECTED_WRITE,

    /** Conflicts with every mode except {@link #NULL}. The mode of writers, and the default. */
    EXCLUSIVE;

    /**
     * Returns whether two holders can have these two modes of one lock at the same time.
     *
     * @param other the other holder's mode
     * @return true if the modes are compatible; the order of the two does not matter
     */
    public boolean isCompatibleWith(LockMode other) {
        return switch (this) {
            case NULL -> true;
            case CONCURRENT_READ -> other != EXCLUSIVE;
            case CONCURRENT_WRITE -> other == NULL || other == CONCURRENT_READ || other == CONCURRENT_WRITE;
            case PROTECTED_READ -> other == NULL || other == CONCURRENT_READ || other == PROTECTED_READ;
            case PROTECTED_WRITE -> other == NULL || other == CONCURRENT_READ;
            case EXCLUSIVE -> other == NULL;
        };
    }

    /**
     * Returns whether this mode conflicts with every mode that the other mode conflicts with. Therefore the holder of a covering mode may
     * do all that the other mode permits.
     *
     * @param other the mode that may be weaker
     * @return true if they are equal; {@link #CONCURRENT_WRITE} and {@link #PROTECTED_READ} do not cover each other
     */
    public boolean covers(LockMode other) {
        return switch (this) {
            case NULL -> other == NULL;
            case CONCURRENT_READ -> other == NULL || other == CONCURRENT_READ;
            case CONCURRENT_WRITE -> other == NULL || other == CONCURRENT_READ || other == CONCURRENT_WRITE;
            case PROTECTED_READ -> other == NULL || other == CONCURRENT_READ || other == PROTECTED_READ;
            case PROTECTED_WRITE -> other != EXCLUSIVE;
            case EXCLUSIVE -> true;
        };
    }

    /**
     * Returns the least mode that covers both modes.
     *
     * @param other the other mode
     * @return the stronger of the two; {@link #PROTECTED_WRITE} for {@link #CONCURRENT_WRITE} and {@link #PROTECTED_READ}
     */
    @Experimental
    public LockMode leastCovering(LockMode other) {
        if (covers(other)) {
            return this;
        }
        return other.covers(this) ? other : PROTECTED_WRITE;
    }

    /**
     * Returns the mode for everything above a resource in a hierarchy while the resource is held in this mode. It conflicts with
     * incompatible locks of a larger part of the hierarchy ({@link LockPath}).
     *
     * @return {@link #NULL} for {@link #NULL}; {@link #CONCURRENT_READ} for modes that read; {@link #CONCURRENT_WRITE} for modes
     *     that write
     */
    @Experimental
    public LockMode getIntention() {
        return switch (this) {
            case NULL -> NULL;
            case CONCURRENT_READ, PROTECTED_READ -> CONCURRENT_READ;
            case CONCURRENT_WRITE, PROTECTED_WRITE, EXCLUSIVE -> CONCURRENT_WRITE;
        };
    }
}
