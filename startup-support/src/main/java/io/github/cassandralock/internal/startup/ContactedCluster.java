package io.github.cassandralock.internal.startup;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.internal.core.context.InternalDriverContext;
import java.util.List;

/** Checks that a session is connected to the configured cluster. */
public final class ContactedCluster {

    private ContactedCluster() {}

    /**
     * Refuses a session whose contact points have all been ignored, because their names were unknown. The driver then connects to a
     * cluster on this machine, if there is one. Other processes would lock in another cluster.
     *
     * @throws ExplainedException if the driver has taken its default in place of what is configured
     */
    public static void require(CqlSession session) {
        List<String> configured = session.getContext()
                .getConfig()
                .getDefaultProfile()
                .getStringList(DefaultDriverOption.CONTACT_POINTS, List.of());
        if (configured != null
                && !configured.isEmpty()
                && session.getContext() instanceof InternalDriverContext context
                && context.getMetadataManager().wasImplicitContactPoint()) {
            throw new ExplainedException(
                    "No contact point of Cassandra can be resolved: " + String.join(", ", configured)
                            + " (unknown host). The driver has connected to its default instead, a node on this machine.",
                    "Correct the contact points of the session ('spring.cassandra.contact-points' in application.yml), or the name"
                            + " service.");
        }
    }
}
