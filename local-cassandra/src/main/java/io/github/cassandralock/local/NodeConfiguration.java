package io.github.cassandralock.local;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** One node's {@code cassandra.yaml}: small and quick, with the semantics of a big node. */
final class NodeConfiguration {

    /** Settings that the cluster makes for each node. With another value the node would not start, or not be found. */
    private static final Set<String> OWN = Set.of(
            "listen_address",
            "listen_interface",
            "broadcast_address",
            "rpc_address",
            "rpc_interface",
            "broadcast_rpc_address",
            "storage_port",
            "ssl_storage_port",
            "native_transport_port",
            "native_transport_port_ssl",
            "start_native_transport",
            "seed_provider",
            "data_file_directories",
            "local_system_data_file_directory",
            "commitlog_directory",
            "hints_directory",
            "saved_caches_directory",
            "cdc_raw_directory");

    private final Map<String, Object> settings;

    static final String AUTO_BOOTSTRAP = "auto_bootstrap";

    private static final String COMMIT_LOG_SYNC = "commitlog_sync";
    private static final String PERIODIC = "periodic";

    /**
     * @param number of the node, from 1
     * @param flushEachWrite whether a write is acknowledged only when it is on disk
     * @param overrides replace the defaults; nested maps are merged key by key
     */
    NodeConfiguration(
            ClusterAddresses addresses,
            int number,
            NodeDirectory directory,
            boolean flushEachWrite,
            Map<String, Object> overrides) {
        Map<String, Object> defaults = new LinkedHashMap<>();
        boolean joins = number > 1 && Boolean.TRUE.equals(overrides.get(AUTO_BOOTSTRAP));
        addAddresses(defaults, addresses, number, joins ? number - 1 : number);
        addDirectories(defaults, directory);
        addSizes(defaults);
        addBehaviour(defaults);
        addCommitLogSync(defaults, overrides.getOrDefault(COMMIT_LOG_SYNC, flushEachWrite ? "batch" : PERIODIC));
        this.settings = merged(defaults, overrides);
    }

    static void requireFree(String key) {
        if (OWN.contains(key)) {
            throw new IllegalArgumentException("'" + key
                    + "' in cassandra.yaml is not free. The cluster gives each node its addresses, ports, seeds"
                    + " and directories. LocalCassandra's contactPoints() returns the addresses of the nodes."
                    + " Its builder's workDirectory(Path) sets where nodes keep data");
        }
    }

    private static void addAddresses(
            Map<String, Object> settings, ClusterAddresses addresses, int number, int lastSeed) {
        String host = addresses.hosts().get(number - 1).getHostAddress();
        settings.put("cluster_name", "local-cassandra-" + addresses.nativePort());
        settings.put("listen_address", host);
        settings.put("rpc_address", host);
        settings.put("storage_port", addresses.storagePort());
        settings.put("native_transport_port", addresses.nativePort());
        // A node's seeds are itself and the nodes that started before it. Therefore the first node waits for no other
        // node at its first start. Any node is a seed, so it may start again while others are down. A node that joins
        // by
        // bootstrap is no seed of its own: a seed does not bootstrap.
        String seeds = addresses.hosts().stream()
                .limit(lastSeed)
                .map(InetAddress::getHostAddress)
                .collect(Collectors.joining(","));
        settings.put(
                "seed_provider",
                List.of(Map.of(
                        "class_name",
                        "org.apache.cassandra.locator.SimpleSeedProvider",
                        "parameters",
                        List.of(Map.of("seeds", seeds)))));
    }

    private static void addDirectories(Map<String, Object> settings, NodeDirectory directory) {
        settings.put("data_file_directories", List.of(directory.data("data")));
        settings.put("commitlog_directory", directory.data("commitlog"));
        settings.put("hints_directory", directory.data("hints"));
        settings.put("saved_caches_directory", directory.data("saved_caches"));
        settings.put("cdc_raw_directory", directory.data("cdc_raw"));
    }

    private static void addSizes(Map<String, Object> settings) {
        settings.put("num_tokens", 4);
        settings.put("concurrent_reads", 16);
        settings.put("concurrent_writes", 16);
        settings.put("concurrent_counter_writes", 4);
        settings.put("concurrent_materialized_view_writes", 2);
        settings.put("concurrent_compactors", 1);
        settings.put("memtable_flush_writers", 1);
        // A lightweight transaction holds one of these threads until it is decided.
        settings.put("native_transport_max_threads", 64);
        settings.put("memtable_heap_space", "64MiB");
        settings.put("memtable_offheap_space", "64MiB");
        settings.put("commitlog_segment_size", "8MiB");
        settings.put("commitlog_total_space", "128MiB");
        settings.put("file_cache_size", "32MiB");
        settings.put("networking_cache_size", "16MiB");
        settings.put("key_cache_size", "8MiB");
        settings.put("row_cache_size", "0MiB");
        settings.put("counter_cache_size", "0MiB");
    }

    private static void addBehaviour(Map<String, Object> settings) {
        settings.put("partitioner", "org.apache.cassandra.dht.Murmur3Partitioner");
        settings.put("endpoint_snitch", "SimpleSnitch");
        settings.put(AUTO_BOOTSTRAP, false);
        settings.put("paxos_variant", "v2");
        settings.put("auto_snapshot", false);
    }

    /** Sets a period only for {@code periodic}. A node does not start without it there, nor with it elsewhere. */
    private static void addCommitLogSync(Map<String, Object> settings, Object sync) {
        settings.put(COMMIT_LOG_SYNC, sync);
        if (sync.equals(PERIODIC)) {
            settings.put("commitlog_sync_period", "10000ms");
        }
    }

    static Map<String, Object> merged(Map<String, Object> defaults, Map<String, Object> overrides) {
        Map<String, Object> merged = new LinkedHashMap<>(defaults);
        overrides.forEach((key, value) -> merged.merge(key, value, NodeConfiguration::mergedValue));
        return merged;
    }

    @SuppressWarnings("unchecked") // the keys of a YAML map in cassandra.yaml are all strings
    private static Object mergedValue(Object old, Object override) {
        return old instanceof Map<?, ?> oldMap && override instanceof Map<?, ?> overrideMap
                ? merged((Map<String, Object>) oldMap, (Map<String, Object>) overrideMap)
                : override;
    }

    String yaml() {
        return YamlText.of(settings);
    }
}
