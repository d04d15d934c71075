package io.github.cassandralock.internal.connection;

import io.github.cassandralock.internal.failure.ExplainedException;
import java.util.List;

/** The driver has ignored all contact points, and has taken its default in place of them. */
public final class UnresolvedContactPointsException extends ExplainedException {

    private static final long serialVersionUID = 1L;

    /** @param configured as the driver received them */
    public UnresolvedContactPointsException(List<String> configured) {
        super(
                "No contact point of Cassandra can be resolved: " + String.join(", ", configured)
                        + " (unknown host). The driver has connected to its default instead, a node on this machine.",
                "Correct the hosts in 'spring.cassandra.contact-points' in application.yml, or the name service.",
                null);
    }
}
