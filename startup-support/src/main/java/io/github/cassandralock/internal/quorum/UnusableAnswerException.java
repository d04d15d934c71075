package io.github.cassandralock.internal.quorum;

/** The answer did not come from the requested quorum, was not complete, or shows no outcome. Therefore, it is rejected. */
public final class UnusableAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableAnswerException(String message) {
        super(message);
    }
}
