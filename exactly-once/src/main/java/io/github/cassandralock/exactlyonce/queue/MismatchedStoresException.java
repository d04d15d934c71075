package io.github.cassandralock.exactlyonce.queue;

/**
 * Two stores do not belong together. A queue, sink, pump or handler was renamed, made again, emptied, or restored from a backup,
 * but not its counterpart. To continue would lose messages or repeat effects. Permanent: the copy ends with this exception until
 * the configuration or the store is corrected.
 */
public class MismatchedStoresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message what does not belong together, and what to do
     */
    public MismatchedStoresException(String message) {
        super(message);
    }
}
