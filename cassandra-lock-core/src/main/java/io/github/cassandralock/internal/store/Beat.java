package io.github.cassandralock.internal.store;

import java.util.UUID;

/**
 * One renewal of a session.
 *
 * @param number how many renewals there have been
 * @param nonce distinguishes this renewal from one with its number by a copy of the process. If a machine is cloned, or restored
 *     twice from one snapshot, two processes renew one session
 */
public record Beat(long number, UUID nonce) {

    /** The renewal that follows this renewal. */
    public Beat next(UUID nonce) {
        return new Beat(number + 1, nonce);
    }
}
