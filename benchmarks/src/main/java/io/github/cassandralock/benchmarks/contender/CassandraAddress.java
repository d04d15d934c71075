package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import io.github.cassandralock.testing.proxies.NodeProxies;
import io.github.cassandralock.testing.proxies.ProxyTranslator;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.util.StringUtils;

/**
 * Where the Cassandra nodes are.
 *
 * @param contactPoints all of them
 */
public record CassandraAddress(List<InetSocketAddress> contactPoints) {

    /** Where the tables of all contenders are but those of the majority. */
    public static final String KEYSPACE = "benchmarks";

    /** In each cluster of the majority: the ticket lock alone does not start on tables of a majority. */
    static final String KEYSPACE_OF_A_MAJORITY = "benchmarks_majority";

    /** The tables of another version of the locks may differ. */
    public static final String KEYSPACE_OF_ANOTHER_VERSION = "benchmarks_another_version";

    /** Of all nodes. */
    public static final String DATACENTER = "datacenter1";

    private static final String BETWEEN_CLUSTERS = ";";

    /** The addresses of independent clusters in one text, which names nodes by host and port. */
    public static String text(List<CassandraAddress> clusters) {
        return clusters.stream().map(CassandraAddress::text).collect(Collectors.joining(BETWEEN_CLUSTERS));
    }

    /** As {@link #text(List)} wrote it. */
    static List<CassandraAddress> parseAll(String text) {
        return Stream.of(StringUtils.delimitedListToStringArray(text, BETWEEN_CLUSTERS))
                .map(CassandraAddress::parse)
                .toList();
    }

    /** The address of a single cluster, as {@link #text(List)} wrote it. */
    public static CassandraAddress parse(String text) {
        return new CassandraAddress(Stream.of(StringUtils.commaDelimitedListToStringArray(text))
                .map(CassandraAddress::node)
                .toList());
    }

    private static InetSocketAddress node(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    /** Host and port of each node, separated by commas. */
    private String text() {
        return contactPoints.stream()
                .map(node -> node.getHostString() + ":" + node.getPort())
                .collect(Collectors.joining(","));
    }

    /** A session for administration, without a keyspace. */
    public CqlSession administration() {
        return builder(config()).build();
    }

    /** A session for a contender. */
    public CqlSession connect() {
        return builder(config()).withKeyspace(KEYSPACE).build();
    }

    /**
     * The same for those that send contending lightweight transactions: in version 5 of the protocol, the driver cannot read
     * their time-outs and closes the connection instead.
     */
    CqlSession connectWithProtocol4() {
        return builder(config().withString(DefaultDriverOption.PROTOCOL_VERSION, "V4"))
                .withKeyspace(KEYSPACE)
                .build();
    }

    /** A session for a contender that reaches each node through its proxy. */
    public static CqlSession connectThrough(NodeProxies proxies) {
        return parse(proxies.contactPoints())
                .builder(ProxyTranslator.configure(config(), proxies.byNode()))
                .withKeyspace(KEYSPACE)
                .build();
    }

    private CqlSessionBuilder builder(ProgrammaticDriverConfigLoaderBuilder config) {
        return CqlSession.builder()
                .addContactPoints(contactPoints)
                .withLocalDatacenter(DATACENTER)
                .withConfigLoader(config.build());
    }

    private static ProgrammaticDriverConfigLoaderBuilder config() {
        return DriverConfigLoader.programmaticBuilder()
                .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(10))
                .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, Duration.ofSeconds(20))
                .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(20))
                .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, Duration.ofSeconds(20));
    }
}
