package io.github.cassandralock.exactlyonce.register;

/**
 * The thread was interrupted while the outcome of its compare-and-set was unknown. The write may have been applied, or may be
 * applied later. A handler of a plain {@link InterruptedException} must not conclude that nothing was written.
 */
public class InterruptedWriteException extends InterruptedException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which write to which register
     */
    public InterruptedWriteException(String message) {
        super(message);
    }
}
