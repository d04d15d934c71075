package io.github.cassandralock.exactlyonce.store.cassandra;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.retry.RetryPolicy;
import com.datastax.oss.driver.internal.core.retry.DefaultRetryPolicy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Driver sessions with time-outs that a busy build machine keeps. */
public final class Sessions {

    private Sessions() {}

    /** With the driver's own retries, which the store keeps from its requests. */
    public static CqlSession open(InetSocketAddress node, String datacenter) {
        return open(List.of(node), datacenter, DefaultRetryPolicy.class);
    }

    static CqlSession open(
            Collection<InetSocketAddress> nodes, String datacenter, Class<? extends RetryPolicy> retries) {
        return CqlSession.builder()
                .addContactPoints(nodes)
                .withLocalDatacenter(datacenter)
                .withConfigLoader(DriverConfigLoader.programmaticBuilder()
                        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(20))
                        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(10))
                        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(10))
                        .withDuration(DefaultDriverOption.RECONNECTION_BASE_DELAY, Duration.ofMillis(100))
                        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(1))
                        .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, retries)
                        .build())
                .build();
    }
}
