package io.github.cassandralock.exactlyonce.bytes;

/** Bytes have an unexpected form: another program or an unknown version of this module wrote them. */
public class MalformedBytesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param message which bytes, and what is wrong with them
     */
    public MalformedBytesException(String message) {
        super(message);
    }
}
