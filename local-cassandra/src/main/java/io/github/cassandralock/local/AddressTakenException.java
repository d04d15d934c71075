package io.github.cassandralock.local;

/** Somebody else bound a node's address between our choosing it and the node's binding it. */
final class AddressTakenException extends LocalCassandraException {

    private static final long serialVersionUID = 1L;

    AddressTakenException(String message) {
        super(message);
    }
}
