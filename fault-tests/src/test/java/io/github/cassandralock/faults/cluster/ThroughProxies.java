package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.testing.proxies.ProxyTranslator;
import org.springframework.boot.autoconfigure.cassandra.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Lets an application reach each node through its proxy. */
@Configuration(proxyBeanMethods = false)
public class ThroughProxies {

    /** The environment's variable that names nodes and proxies, as {@link ProxyTranslator.Proxies} has them. */
    static final String VARIABLE = "NODES_AND_PROXIES";

    @Bean
    DriverConfigLoaderBuilderCustomizer proxyAddresses() {
        return config -> ProxyTranslator.configure(config, System.getenv(VARIABLE));
    }
}
