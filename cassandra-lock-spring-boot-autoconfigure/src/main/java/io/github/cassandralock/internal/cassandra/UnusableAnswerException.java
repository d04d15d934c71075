package io.github.cassandralock.internal.cassandra;

/** A request was answered, but not by a quorum or not as a whole: the answer counts as none. */
final class UnusableAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusableAnswerException(String message) {
        super(message);
    }
}
