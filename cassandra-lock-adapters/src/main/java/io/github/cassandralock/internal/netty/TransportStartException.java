package io.github.cassandralock.internal.netty;

/** The transport of notices could not begin to listen. */
public final class TransportStartException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean addressAtFault;

    TransportStartException(String message, boolean addressAtFault, Throwable cause) {
        super(message, cause);
        this.addressAtFault = addressAtFault;
    }

    /** Whether no port of the address can be listened on; otherwise, another port can. */
    public boolean isAddressAtFault() {
        return addressAtFault;
    }
}
