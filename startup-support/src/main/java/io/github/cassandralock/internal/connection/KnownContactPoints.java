package io.github.cassandralock.internal.connection;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.metadata.EndPoint;
import io.github.cassandralock.internal.startup.ContactPoint;
import io.github.cassandralock.internal.startup.ContactPoints;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeansException;
import org.springframework.beans.PropertyAccessor;
import org.springframework.beans.PropertyAccessorFactory;

/**
 * The contact points of a session that is not built yet. The builder does not show those that customizers have added, so they are
 * read from its fields. They are unknown if a field is missing, or if they are in a cloud's bundle.
 */
public final class KnownContactPoints {

    private static final Logger log = LoggerFactory.getLogger(KnownContactPoints.class);

    static final List<String> FIELDS =
            List.of("configLoader", "programmaticContactPoints", "cloudConfigInputStream", "programmaticSslFactory");

    private static final String DRIVERS_DEFAULT = "127.0.0.1:9042";
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(5);

    private KnownContactPoints() {}

    /** Does no I/O. */
    public static Optional<ContactPoints> of(CqlSessionBuilder builder) {
        PropertyAccessor fields = PropertyAccessorFactory.forDirectFieldAccess(builder);
        try {
            return fields.getPropertyValue("configLoader") instanceof DriverConfigLoader loader
                    ? of(fields, loader.getInitialConfig().getDefaultProfile())
                    : Optional.empty();
        } catch (BeansException e) {
            log.debug("The contact points of the session are unknown", e);
            return Optional.empty();
        }
    }

    private static Optional<ContactPoints> of(PropertyAccessor fields, DriverExecutionProfile profile) {
        Set<?> added = (Set<?>) fields.getPropertyValue("programmaticContactPoints");
        if (added == null
                || !added.stream().allMatch(KnownContactPoints::isAddress)
                || fields.getPropertyValue("cloudConfigInputStream") != null
                || profile.isDefined(DefaultDriverOption.CLOUD_SECURE_CONNECT_BUNDLE)) {
            return Optional.empty();
        }
        List<ContactPoint> points = Stream.concat(
                        profile.getStringList(DefaultDriverOption.CONTACT_POINTS, List.of()).stream()
                                .flatMap(text -> ContactPoint.of(text).stream()),
                        added.stream().flatMap(KnownContactPoints::point))
                .toList();
        boolean encrypted = Boolean.TRUE.equals(fields.getPropertyValue("programmaticSslFactory"))
                || profile.isDefined(DefaultDriverOption.SSL_ENGINE_FACTORY_CLASS);
        return Optional.of(new ContactPoints(
                points.isEmpty() ? ContactPoint.of(DRIVERS_DEFAULT).stream().toList() : points,
                encrypted,
                profile.getDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, USUAL_PATIENCE)));
    }

    /** Other end points may query a name service to be resolved. */
    private static boolean isAddress(Object endPoint) {
        return endPoint.getClass().getSimpleName().equals("DefaultEndPoint");
    }

    private static Stream<ContactPoint> point(Object endPoint) {
        return ((EndPoint) endPoint).resolve() instanceof InetSocketAddress address
                ? Stream.of(ContactPoint.of(address))
                : Stream.empty();
    }
}
