package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.internal.majority.ClusterState;
import io.github.cassandralock.internal.majority.MajorityAlgorithm;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.proxies.CuttableProxy;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.util.StringUtils;

/**
 * Instances that hold their locks in a majority. Each cluster is a keyspace of one node: it has tables, sessions and a birth row
 * of its own, and each instance reaches it through a proxy of its own. Not thread-safe.
 */
final class MajorityFleet implements AutoCloseable {

    /** The shortest one: what depends on the age of a cluster takes its time from it. */
    static final Duration LEASE = Duration.ofSeconds(2);

    static final Duration CLUSTER_TIMEOUT = Duration.ofMillis(600);
    static final Duration SOON = Duration.ofSeconds(60);

    private static final List<String> IDS = List.of("north", "south", "west", "east", "middle");

    /** An instance, and its ways to the clusters. */
    record Instance(Application application, List<CuttableProxy> links) implements AutoCloseable {

        /** @param clusters from 0 */
        void cut(int... clusters) {
            Arrays.stream(clusters).forEach(cluster -> links.get(cluster).cut());
        }

        void heal() {
            links.forEach(CuttableProxy::heal);
        }

        List<ClusterState> states() {
            return application.context().getBean(MajorityAlgorithm.class).states();
        }

        List<String> counting() {
            return states().stream()
                    .filter(ClusterState::counts)
                    .map(ClusterState::id)
                    .toList();
        }

        void awaitCounting(String... ids) {
            await("clusters that count")
                    .atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(counting()).as("%s", states()).containsExactly(ids));
        }

        @Override
        public void close() {
            application.close();
        }
    }

    private final CassandraCluster node;
    private final List<String> keyspaces;

    @SuppressWarnings("deprecation") // by Netty 4.2, for one that Netty 4.1 has not
    private final EventLoopGroup threads = new NioEventLoopGroup(1);

    private final List<CuttableProxy> proxies = new ArrayList<>();
    private final List<Instance> instances = new ArrayList<>();

    /**
     * Creates the keyspaces, without tables.
     *
     * @param name of this fleet; its keyspaces begin with it
     */
    MajorityFleet(CassandraCluster node, String name, int clusters) {
        this.node = node;
        this.keyspaces = IntStream.range(0, clusters)
                .mapToObj(cluster -> name + "_" + IDS.get(cluster))
                .toList();
        execute(keyspaces.stream().flatMap(MajorityFleet::anew).toArray(String[]::new));
    }

    /** Statements that drop a keyspace, and create it without tables. */
    private static Stream<String> anew(String keyspace) {
        return Stream.of(
                "DROP KEYSPACE IF EXISTS " + keyspace,
                "CREATE KEYSPACE " + keyspace
                        + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    List<Instance> instances() {
        return instances;
    }

    String keyspace(int cluster) {
        return keyspaces.get(cluster);
    }

    /** The proxies of one instance, which it may use once. */
    List<CuttableProxy> links() {
        List<CuttableProxy> links = keyspaces.stream()
                .map(keyspace -> new CuttableProxy(
                        threads,
                        CassandraCluster.address(StringUtils.commaDelimitedListToStringArray(node.contactPoints())[0])))
                .toList();
        proxies.addAll(links);
        return links;
    }

    Instance start(String... more) {
        return start(links(), more);
    }

    Instance start(List<CuttableProxy> links, String... more) {
        return start(links, List.of(Application.Configuration.class), arguments(links, more));
    }

    Instance start(List<CuttableProxy> links, List<Class<?>> configurations, List<String> arguments) {
        Instance instance = new Instance(Application.run(configurations, arguments), links);
        instances.add(instance);
        return instance;
    }

    Instance start(List<CuttableProxy> links, List<String> arguments) {
        return start(links, List.of(Application.Configuration.class), arguments);
    }

    /** All clusters by contact points. */
    private List<String> arguments(List<CuttableProxy> links, String... more) {
        List<String> arguments =
                settings(links, IntStream.range(0, keyspaces.size()).toArray());
        arguments.addAll(List.of(more));
        return arguments;
    }

    /** With a list of these clusters, in this order. */
    List<String> settings(List<CuttableProxy> links, int... clusters) {
        List<String> arguments = settings();
        for (int number = 0; number < clusters.length; number++) {
            int cluster = clusters[number];
            arguments.addAll(entry(number, IDS.get(cluster), links.get(cluster), keyspaces.get(cluster)));
        }
        return arguments;
    }

    /** What there is to say beside the clusters. */
    List<String> settings() {
        List<String> arguments = node.arguments();
        arguments.add("--cassandra-lock.algorithm=majority");
        arguments.add("--cassandra-lock.lease=" + LEASE);
        arguments.add("--cassandra-lock.majority.cluster-timeout=" + CLUSTER_TIMEOUT);
        return arguments;
    }

    /** One entry of the list of clusters, by contact points. */
    List<String> entry(int number, String id, CuttableProxy link, String keyspace) {
        String prefix = "--cassandra-lock.majority.clusters[" + number + "].";
        return List.of(
                prefix + "id=" + id,
                prefix + "contact-points=127.0.0.1:" + link.address().getPort(),
                prefix + "local-datacenter=" + node.localDatacenter(),
                prefix + "keyspace=" + keyspace);
    }

    /** For all instances. */
    void cut(int... clusters) {
        instances.forEach(instance -> instance.cut(clusters));
    }

    void heal() {
        instances.forEach(Instance::heal);
    }

    /** The cluster has lost everything, its keyspace as well, and somebody creates that again. */
    void wipe(int cluster) {
        execute(anew(keyspaces.get(cluster)).toArray(String[]::new));
    }

    /** As an administrator would. */
    void execute(String... statements) {
        Application.execute(node, statements);
    }

    void awaitAllCounting() {
        String[] all = IDS.subList(0, keyspaces.size()).toArray(String[]::new);
        instances.forEach(instance -> instance.awaitCounting(all));
    }

    @Override
    public void close() {
        heal();
        instances.forEach(Instance::close);
        proxies.forEach(CuttableProxy::close);
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
