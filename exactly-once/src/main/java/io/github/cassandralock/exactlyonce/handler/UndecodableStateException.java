package io.github.cassandralock.exactlyonce.handler;

/** The codec of a handler cannot decode the present state, though it claims to support the state's format. */
public class UndecodableStateException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UndecodableStateException(String message, Throwable cause) {
        super(message, cause);
    }
}
