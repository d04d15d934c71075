package io.github.cassandralock.autoconfigure.majority;

import io.github.cassandralock.internal.failure.ExplainedException;

/** A majority of the clusters is not there at the start, or their configuration differs from other processes. */
final class UnusableMajorityException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    private UnusableMajorityException(String message, String action) {
        super(message, action, null);
    }

    /** @param found how many can be used, and why the others cannot */
    static UnusableMajorityException missing(String found) {
        return new UnusableMajorityException(
                "Locks need a majority of the clusters, and only " + found,
                "Start the clusters that are missing, or correct their entries under 'cassandra-lock.majority.clusters'."
                        + " With 'cassandra-lock.startup: lazy' the application starts without them, and locks cannot be"
                        + " taken until a majority is there.");
    }

    /** @param text what is wrong, and how to correct it */
    static UnusableMajorityException misconfigured(String text) {
        return new UnusableMajorityException(text + ".", "Correct the configuration, and start the application again.");
    }
}
