package io.github.cassandralock.exactlyonce.bytes;

/** Bytes are not what they should be: not written by this module, or by a version of it that is not known here. */
public class MalformedBytesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Tells what happened.
     *
     * @param message which bytes, and what is wrong with them
     */
    public MalformedBytesException(String message) {
        super(message);
    }
}
