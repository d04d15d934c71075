package io.github.cassandralock.autoconfigure;

/** Beans of handlers, sinks and pumps do not fit together. */
final class MistakenHandlerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String action;

    MistakenHandlerException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}
