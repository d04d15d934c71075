package io.github.cassandralock.exactlyonce.autoconfigure;

import io.github.cassandralock.internal.failure.ExplainedException;

/** Beans of handlers, sinks and pumps do not fit together. */
final class MistakenHandlerException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    MistakenHandlerException(String message, String action) {
        super(message, action, null);
    }
}
