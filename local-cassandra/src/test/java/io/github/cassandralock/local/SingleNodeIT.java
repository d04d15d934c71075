package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SingleNodeIT {

    /** A shell that stays between this JVM and the node's, as some wrappers do. */
    private static final String[] STAYING_PREFIX = {"sh", "-c", "\"$@\"; exit $?", "prefix"};

    @Test
    void nodeAnswersCqlAndLeavesNothingBehind() {
        LocalNode node;
        long pid;
        try (LocalCassandra cassandra = LocalCassandra.start(1)) {
            node = cassandra.node(1);
            pid = node.pid();
            assertThat(release(cassandra)).isEqualTo(CassandraVersion.current());
            assertThat(node.logFile())
                    .as("the log, in which the node names the options of its JVM")
                    .content()
                    .contains(System.getenv().getOrDefault(ClusterLauncher.JVM_OPTIONS, ""));
        }

        assertThat(isAlive(pid)).isFalse();
        assertThat(node.isRunning()).isFalse();
        assertThat(node.logFile().getParent()).doesNotExist();
        assertThatIllegalStateException().isThrownBy(node::start).withMessageContaining("closed");
    }

    @Test
    @Tag("slow")
    void stoppedNodeKeepsItsDataAndNeedsItsAddressToStartAgain(@TempDir Path directory) throws IOException {
        try (LocalCassandra cassandra =
                LocalCassandra.builder().workDirectory(directory).start()) {
            LocalNode node = cassandra.node(1);
            write(cassandra);

            node.stop();
            assertThat(node.isRunning()).isFalse();
            assertThatIllegalStateException().isThrownBy(node::pid).withMessageContaining("not running");
            try (ServerSocket intruder = new ServerSocket()) {
                intruder.bind(node.address());
                assertThatThrownBy(node::start).isInstanceOf(AddressTakenException.class);
                assertThat(node.isRunning()).isFalse();
            }

            node.startWith(options -> options.jvmOptions("-Dof.the.second.start=true"));
            assertThat(read(cassandra)).isEqualTo("kept");
            assertThat(node.logFile()).content().contains("-Dof.the.second.start=true");
            assertThatIllegalStateException().isThrownBy(node::start).withMessageContaining("already running");
        }
        assertThat(directory.resolve("node-1/node.log")).exists();
    }

    @Test
    void brokenConfigurationFailsWithTheEndOfTheLog(@TempDir Path directory) {
        LocalCassandraBuilder builder = LocalCassandra.builder()
                .workDirectory(directory)
                .startTimeout(Duration.ofMinutes(5))
                .config("no_such_option", 1);
        long startNanos = System.nanoTime();

        assertThatThrownBy(builder::start)
                .isInstanceOf(LocalCassandraException.class)
                .hasMessageContaining("stopped while starting, exit code")
                .hasMessageContaining("node-1/node.log")
                .hasMessageContaining("Invalid yaml")
                .hasMessageContaining("no_such_option");

        assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(Duration.ofMinutes(1));
        assertThat(directory.resolve("node-1/node.log")).exists();
    }

    @Test
    void startThatTakesTooLongFails(@TempDir Path directory) {
        LocalCassandraBuilder builder =
                LocalCassandra.builder().workDirectory(directory).startTimeout(Duration.ofMillis(500));

        assertThatThrownBy(builder::start)
                .isInstanceOf(LocalCassandraException.class)
                .hasMessageContaining("was not up within 0.5 s");
    }

    @Test
    @Tag("slow")
    void commandPrefixEnvironmentAndJvmOptionsReachTheNode() {
        LocalCassandraBuilder builder = LocalCassandra.builder()
                .eachNode(all -> all.commandPrefix(STAYING_PREFIX).environment("A_VARIABLE", "set"))
                .node(1, one -> one.jvmOptions("-Xmx400m"));
        try (LocalCassandra cassandra = builder.start()) {
            LocalNode node = cassandra.node(1);
            ProcessHandle jvm = ProcessHandle.of(node.pid()).orElseThrow();
            long shell = jvm.parent().orElseThrow().pid();
            assertThat(shell).isNotEqualTo(ProcessHandle.current().pid());
            assertThat(release(cassandra)).isEqualTo(CassandraVersion.current());

            node.kill();

            assertThat(jvm.isAlive()).isFalse();
            assertThat(isAlive(shell)).isFalse();
        }
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    private static String release(LocalCassandra cassandra) {
        return string(cassandra, "SELECT release_version FROM system.local");
    }

    private static void write(LocalCassandra cassandra) {
        try (CqlSession session = Cql.connect(cassandra)) {
            session.execute(
                    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
            session.execute("CREATE TABLE ks.t (k int PRIMARY KEY, v text)");
            session.execute("INSERT INTO ks.t (k, v) VALUES (1, 'kept') IF NOT EXISTS");
        }
    }

    private static String read(LocalCassandra cassandra) {
        return string(cassandra, "SELECT v FROM ks.t WHERE k = 1");
    }

    private static String string(LocalCassandra cassandra, String query) {
        try (CqlSession session = Cql.connect(cassandra)) {
            Row row = session.execute(query).one();
            assertThat(row).isNotNull();
            return String.valueOf(row.getString(0));
        }
    }
}
