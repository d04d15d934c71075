package io.github.cassandralock.internal.store;

import java.util.UUID;

/**
 * One renewal of a session.
 *
 * @param number how many renewals there have been
 * @param nonce tells this renewal from one of the same number that a copy of the process sends: a machine that is cloned, or
 *     restored twice from one snapshot, runs the same session twice
 */
public record Beat(long number, UUID nonce) {

    /** The renewal that follows this one. */
    public Beat next(UUID nonce) {
        return new Beat(number + 1, nonce);
    }
}
