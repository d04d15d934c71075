package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.queue.SequenceViolation;

/** A message does not follow the last message of its producer, and the handler is configured to stop then. */
public class SequenceViolationException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * @param violation what is missing or double
     */
    public SequenceViolationException(SequenceViolation violation) {
        super(violation.toString());
    }
}
