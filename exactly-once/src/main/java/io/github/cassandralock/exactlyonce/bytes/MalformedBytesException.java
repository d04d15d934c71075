package io.github.cassandralock.exactlyonce.bytes;

/** Bytes have an unexpected form. This module did not write them, or an unknown version of it did. */
public class MalformedBytesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which bytes, and what is wrong with them
     */
    public MalformedBytesException(String message) {
        super(message);
    }
}
