package io.github.cassandralock.internal.connection;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessorFactory;

/** Checks that a session is connected to the configured cluster. */
public final class ContactedCluster {

    private static final Logger log = LoggerFactory.getLogger(ContactedCluster.class);

    private ContactedCluster() {}

    /**
     * Refuses a session whose contact points have all been ignored, because their names were unknown. The driver then connects to a
     * cluster on this machine, if there is one. Other processes would lock in another cluster.
     *
     * @throws UnresolvedContactPointsException if the driver has taken its default in place of what is configured
     */
    public static void require(CqlSession session) {
        List<String> configured = session.getContext()
                .getConfig()
                .getDefaultProfile()
                .getStringList(DefaultDriverOption.CONTACT_POINTS, List.of());
        if (configured != null && !configured.isEmpty() && isDefault(session)) {
            throw new UnresolvedContactPointsException(configured);
        }
    }

    /** The driver's API does not show that. */
    private static boolean isDefault(CqlSession session) {
        try {
            Object metadata = PropertyAccessorFactory.forBeanPropertyAccess(session.getContext())
                    .getPropertyValue("metadataManager");
            return metadata != null
                    && Boolean.TRUE.equals(PropertyAccessorFactory.forDirectFieldAccess(metadata)
                            .getPropertyValue("wasImplicitContactPoint"));
        } catch (BeansException e) {
            log.debug("It is not known whether the session uses the driver's default contact point", e);
            return false;
        }
    }
}
