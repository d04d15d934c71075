package io.github.cassandralock.exactlyonce.queue;

/**
 * What is kept in one place does not belong to what is kept in another: a queue, a sink, a pump or a handler was renamed, made afresh,
 * emptied, or restored from a backup, and its counterpart was not. Going on would lose messages or repeat effects. Permanent: the copy
 * ends with this until the configuration or the store is mended.
 */
public class MismatchedStoresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message what does not belong together, and what to do
     */
    public MismatchedStoresException(String message) {
        super(message);
    }
}
