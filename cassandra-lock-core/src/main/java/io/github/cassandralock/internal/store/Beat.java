package io.github.cassandralock.internal.store;

import java.util.UUID;

/**
 * One renewal of a session.
 *
 * @param number how many renewals there have been
 * @param nonce distinguishes this renewal from one with the same number that a copy of the process sends: if a machine is
 *     cloned, or restored twice from one snapshot, two processes renew the same session
 */
public record Beat(long number, UUID nonce) {

    /** The renewal that follows this one. */
    public Beat next(UUID nonce) {
        return new Beat(number + 1, nonce);
    }
}
