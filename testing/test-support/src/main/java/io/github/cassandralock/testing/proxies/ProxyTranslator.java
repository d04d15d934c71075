package io.github.cassandralock.testing.proxies;

import com.datastax.oss.driver.api.core.addresstranslation.AddressTranslator;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverOption;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.context.DriverContext;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.StringUtils;

/** Lets the driver reach each node through its proxy, whatever address the nodes tell it. */
public final class ProxyTranslator implements AddressTranslator {

    /** The driver's option that names nodes and proxies: {@code node=proxy,…}, each a host and a port. */
    public enum Proxies implements DriverOption {
        BY_NODE;

        @Override
        public String getPath() {
            return "advanced.address-translator.proxies-by-node";
        }
    }

    private final Map<InetSocketAddress, InetSocketAddress> proxies;

    /** The driver wants this constructor. */
    public ProxyTranslator(DriverContext context) {
        String byNode = context.getConfig().getDefaultProfile().getString(Proxies.BY_NODE);
        proxies = Stream.of(StringUtils.commaDelimitedListToStringArray(byNode))
                .map(pair -> StringUtils.delimitedListToStringArray(pair, "="))
                .collect(Collectors.toMap(
                        pair -> CassandraCluster.address(pair[0]), pair -> CassandraCluster.address(pair[1])));
    }

    /** Sets the driver's options. */
    public static ProgrammaticDriverConfigLoaderBuilder configure(
            ProgrammaticDriverConfigLoaderBuilder config, String byNode) {
        return config.withClass(DefaultDriverOption.ADDRESS_TRANSLATOR_CLASS, ProxyTranslator.class)
                .withString(Proxies.BY_NODE, byNode);
    }

    @Override
    public InetSocketAddress translate(InetSocketAddress node) {
        return proxies.getOrDefault(node, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    }

    @Override
    public void close() {}
}
