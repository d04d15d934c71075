package io.github.cassandralock.exactlyonce.table;

/** The effect of a message failed, so its transaction is not committed. The cause is what the effect threw. */
public final class MessageFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    /** @param cause what the effect threw, or why the database refuses it */
    public MessageFailedException(Throwable cause) {
        super("The effect of a message failed", cause);
    }
}
