package io.github.cassandralock.internal.netty;

/** The transport of notices could not begin to listen. */
public final class TransportStartException extends RuntimeException {

    private static final long serialVersionUID = 1;

    TransportStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
