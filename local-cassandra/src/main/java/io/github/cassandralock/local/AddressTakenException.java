package io.github.cassandralock.local;

/** Another process bound the address that was chosen for a node before the node did. */
final class AddressTakenException extends LocalCassandraException {

    private static final long serialVersionUID = 1L;

    AddressTakenException(String message) {
        super(message);
    }
}
