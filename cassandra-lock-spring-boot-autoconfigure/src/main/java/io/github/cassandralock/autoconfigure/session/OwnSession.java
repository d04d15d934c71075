package io.github.cassandralock.autoconfigure.session;

import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverOption;
import io.github.cassandralock.internal.startup.ReplacedOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;

/** How a session of the locks' own is connected: like Spring Boot's session, apart from what names the cluster. */
public record OwnSession(
        List<String> contactPoints,
        @Nullable String localDatacenter,
        @Nullable String username,
        @Nullable String password) {

    /** The driver warns of a leak at more than four sessions. Here, each cluster or locker may have one. */
    private static final int NO_WARNING = 0;

    /**
     * Returns a builder of the session, which has no keyspace.
     *
     * @param loader the driver's settings, apart from what names the cluster
     */
    public CqlSessionBuilder builder(BeanFactory beans, DriverConfigLoader loader) {
        Map<DriverOption, Object> options = new HashMap<>(Map.of(
                DefaultDriverOption.CONTACT_POINTS, contactPoints,
                DefaultDriverOption.RECONNECT_ON_INIT, false,
                DefaultDriverOption.SESSION_LEAK_THRESHOLD, NO_WARNING));
        if (localDatacenter != null) {
            options.put(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, localDatacenter);
        }
        CqlSessionBuilder builder = beans.getBean(CqlSessionBuilder.class)
                .withConfigLoader(ReplacedOptions.of(options, loader))
                .withKeyspace((String) null);
        return username == null || password == null ? builder : builder.withAuthCredentials(username, password);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "session to " + contactPoints;
    }
}
