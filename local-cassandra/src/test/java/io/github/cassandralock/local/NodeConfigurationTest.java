package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class NodeConfigurationTest {

    private static final NodeDirectory DIRECTORY = new NodeDirectory(Path.of("/data/with space \"quoted\"/node-2"));

    @Test
    void namesTheNodesOwnAddressAndTheSharedPorts() throws UnknownHostException {
        assertThat(yaml(2, Map.of()))
                .containsEntry("listen_address", "127.1.1.2")
                .containsEntry("rpc_address", "127.1.1.2")
                .containsEntry("storage_port", 7000)
                .containsEntry("native_transport_port", 9042);
    }

    @Test
    void seedsAreTheNodeAndThoseBeforeIt() throws UnknownHostException {
        assertThat(yaml(1, Map.of()).get("seed_provider")).asString().contains("{seeds=127.1.1.1}");
        assertThat(yaml(2, Map.of()).get("seed_provider")).asString().contains("{seeds=127.1.1.1,127.1.1.2}");
    }

    @Test
    void nodeThatJoinsByBootstrapIsNoSeedOfItsOwn() throws UnknownHostException {
        assertThat(yaml(2, Map.of("auto_bootstrap", true)).get("seed_provider"))
                .asString()
                .contains("{seeds=127.1.1.1}");
        assertThat(yaml(1, Map.of("auto_bootstrap", true)).get("seed_provider"))
                .asString()
                .contains("{seeds=127.1.1.1}");
    }

    @Test
    void everyDirectoryIsTheNodes() throws UnknownHostException {
        Map<String, Object> yaml = yaml(2, Map.of());

        assertThat(yaml.get("data_file_directories")).isEqualTo(List.of(DIRECTORY.data("data")));
        assertThat(List.of(
                        yaml.get("commitlog_directory"),
                        yaml.get("hints_directory"),
                        yaml.get("saved_caches_directory"),
                        yaml.get("cdc_raw_directory")))
                .allSatisfy(directory -> assertThat(directory.toString())
                        .startsWith(DIRECTORY.root().toString()));
    }

    @Test
    void overrideReplacesADefaultAndAddsWhatHasNone() throws UnknownHostException {
        Map<String, Object> yaml =
                yaml(1, Map.of("paxos_variant", "v1", "read_request_timeout", "2s", "cas_contention_timeout", 7));

        assertThat(yaml)
                .containsEntry("paxos_variant", "v1")
                .containsEntry("read_request_timeout", "2s")
                .containsEntry("cas_contention_timeout", 7);
    }

    /** Cassandra refuses to start with a period that it does not need, or without one that it does. */
    @Test
    void writesAreFlushedAtOnceUnlessATestSaysOtherwise() throws UnknownHostException {
        assertThat(yaml(1, Map.of()))
                .containsEntry("commitlog_sync", "batch")
                .doesNotContainKey("commitlog_sync_period");
        assertThat(yaml(1, false, Map.of()))
                .containsEntry("commitlog_sync", "periodic")
                .containsEntry("commitlog_sync_period", "10000ms");
        assertThat(yaml(1, Map.of("commitlog_sync", "periodic", "commitlog_sync_period", "1s")))
                .containsEntry("commitlog_sync", "periodic")
                .containsEntry("commitlog_sync_period", "1s");
        assertThat(yaml(1, false, Map.of("commitlog_sync", "group", "commitlog_sync_group_window", "1ms")))
                .containsEntry("commitlog_sync", "group")
                .doesNotContainKey("commitlog_sync_period");
    }

    @Test
    void nestedMapsAreMerged() {
        Map<String, Object> merged = NodeConfiguration.merged(
                Map.of("options", Map.of("enabled", false, "optional", true)),
                Map.of("options", Map.of("enabled", true, "keystore", "k")));

        assertThat(merged).containsEntry("options", Map.of("enabled", true, "optional", true, "keystore", "k"));
    }

    @Test
    void textsComeThroughUnchanged() throws UnknownHostException {
        String text = "a: b # c \\ \" \t\n{}[]'%é\u0007";

        assertThat(yaml(1, Map.of("cluster_name", text))).containsEntry("cluster_name", text);
    }

    private static Map<String, Object> yaml(int number, Map<String, Object> overrides) throws UnknownHostException {
        return yaml(number, true, overrides);
    }

    private static Map<String, Object> yaml(int number, boolean flushEachWrite, Map<String, Object> overrides)
            throws UnknownHostException {
        ClusterAddresses addresses = new ClusterAddresses(
                List.of(InetAddress.getByName("127.1.1.1"), InetAddress.getByName("127.1.1.2")), 7000, 9042);
        return new Yaml().load(new NodeConfiguration(addresses, number, DIRECTORY, flushEachWrite, overrides).yaml());
    }
}
