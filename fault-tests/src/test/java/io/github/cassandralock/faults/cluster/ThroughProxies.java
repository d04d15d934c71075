package io.github.cassandralock.faults.cluster;

import com.datastax.oss.driver.api.core.addresstranslation.AddressTranslator;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.context.DriverContext;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.cassandra.DriverConfigLoaderBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** Lets an application reach each node through its proxy, whatever address the nodes tell it. */
@Configuration(proxyBeanMethods = false)
public class ThroughProxies {

    /** The environment's variable that names nodes and proxies: {@code node=proxy,…}, each a host and a port. */
    static final String VARIABLE = "NODES_AND_PROXIES";

    @Bean
    DriverConfigLoaderBuilderCustomizer proxyAddresses() {
        return config -> config.withClass(DefaultDriverOption.ADDRESS_TRANSLATOR_CLASS, Translator.class);
    }

    /** What the driver instantiates. */
    public static final class Translator implements AddressTranslator {

        private final Map<InetSocketAddress, InetSocketAddress> proxies = Stream.of(
                        StringUtils.commaDelimitedListToStringArray(System.getenv(VARIABLE)))
                .map(pair -> StringUtils.delimitedListToStringArray(pair, "="))
                .collect(Collectors.toMap(
                        pair -> CassandraCluster.address(pair[0]), pair -> CassandraCluster.address(pair[1])));

        /** The driver wants this constructor. */
        public Translator(DriverContext context) {}

        @Override
        public InetSocketAddress translate(InetSocketAddress node) {
            return proxies.getOrDefault(node, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        }

        @Override
        public void close() {}
    }
}
