package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalCassandraBuilderTest {

    private final LocalCassandraBuilder builder = LocalCassandra.builder();

    @Test
    void refusesNumbersOfNodesThatMakeNoSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.nodes(0)).withMessageContaining("not 0");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.nodes(21));
    }

    @Test
    void refusesAHeapJavaWouldNotUnderstand() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.heap("512 MB"));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.heap("512"));
    }

    @Test
    void refusesATimeoutThatIsOverAtOnce() {
        assertThatIllegalArgumentException().isThrownBy(() -> builder.startTimeout(Duration.ZERO));
    }

    @Test
    void refusesOptionsForANodeThereIsNot() {
        builder.nodes(2).node(3, options -> {});

        assertThatIllegalArgumentException().isThrownBy(builder::start).withMessageContaining("node 3 of 2");
    }

    @Test
    void refusesAFirstNodeThatJoinsLater() {
        builder.nodes(2).node(1, NodeOptions::joinLater);

        assertThatIllegalArgumentException().isThrownBy(builder::start).withMessageContaining("first node");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "native_transport_port",
                "rpc_address",
                "storage_port",
                "listen_address",
                "seed_provider",
                "data_file_directories",
                "commitlog_directory"
            })
    void refusesKeysThatTheClusterGivesEachNode(String key) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.config(key, "x"))
                .withMessageContainingAll("'" + key + "'", "contactPoints()", "workDirectory");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.config(Map.of(key, "x")));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.node(1, node -> node.config(key, "x")));
    }

    @Test
    void severalNodesGetMoreHeapEach() {
        assertThat(builder.nodes(1).heap()).isEqualTo("512m");
        assertThat(builder.nodes(3).heap()).isEqualTo("768m");
        assertThat(builder.heap("1g").heap()).isEqualTo("1g");
    }

    @Test
    void optionsOfANodeWinOverThoseOfAll() {
        builder.nodes(2)
                .config(Map.of("a", 1, "b", 1))
                .eachNode(
                        all -> all.environment("X", "all").jvmOptions("-Da=all").version("4.1.9"))
                .node(2, node -> node.config("b", 2).environment("X", "2").jvmOptions("-Da=2"));

        assertThat(builder.options(1).config()).isEqualTo(Map.of("a", 1, "b", 1));
        assertThat(builder.options(2).config()).isEqualTo(Map.of("a", 1, "b", 2));
        assertThat(builder.options(2).version()).isEqualTo("4.1.9");
        assertThat(builder.options(2).with(new NodeOptions().version("5.0")).version())
                .isEqualTo("5.0");
        assertThat(builder.options(2).environment()).isEqualTo(Map.of("X", "2"));
        assertThat(builder.options(2).jvmOptions()).containsExactly("-Da=all", "-Da=2");
    }
}
