package io.github.cassandralock.internal.store;

import java.util.Arrays;

/**
 * Where a session receives notices, and the secret that authenticates them (notices, section 6). A process that may read it may
 * send notices to the session.
 *
 * @param address {@code host:port}; IPv6 hosts in brackets
 * @param secret 128 random bits or more, new for each session
 */
@SuppressWarnings("ArrayRecordComponent") // copied, and compared by its content
public record Contact(String address, byte[] secret) {

    private static final int SHORTEST_SECRET = 16;

    public Contact {
        secret = secret.clone();
        if (!isPossible(address, secret.length)) {
            throw new IllegalArgumentException("A contact needs an address and a secret of at least " + SHORTEST_SECRET
                    + " bytes, not '" + address + "' and " + secret.length + " bytes");
        }
    }

    /** Whether a session may have this address, and a secret of so many bytes. */
    public static boolean isPossible(String address, int secretLength) {
        return !address.isBlank() && secretLength >= SHORTEST_SECRET;
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Contact contact
                && address.equals(contact.address)
                && Arrays.equals(secret, contact.secret);
    }

    @Override
    public int hashCode() {
        return address.hashCode() * 31 + Arrays.hashCode(secret);
    }

    /** Without the secret, which must not appear in logs. */
    @Override
    public String toString() {
        return "Contact[" + address + "]";
    }
}
