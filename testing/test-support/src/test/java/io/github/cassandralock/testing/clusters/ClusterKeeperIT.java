package io.github.cassandralock.testing.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.io.Reader;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The node that the modules of a build share does not outlive the build. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ClusterKeeperIT {

    private static final Duration BOUND = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    /** In place of Maven. */
    static final class Build {

        private Build() {}

        public static void main(String[] arguments) throws IOException {
            while (System.in.read() >= 0) {
                // until it is killed
            }
        }
    }

    @Test
    @Tag("slow")
    void nodeEndsWhenTheBuildIsKilled() throws Exception {
        Path description = directory.resolve("cluster.properties");
        try (JvmProcess build = JvmProcess.start(Build.class, List.of());
                JvmProcess keeper = JvmProcess.start(
                        ClusterKeeper.class,
                        List.of(Long.toString(build.process().pid()), description.toString()),
                        directory.resolve("keeper.log"))) {
            await("the node").atMost(BOUND).until(() -> Files.exists(description) || keeper.endsWithin(0));
            InetSocketAddress node = CassandraCluster.address(contactPoint(description));
            connect(node);

            build.kill();

            assertThat(keeper.endsWithin(BOUND.toMillis()))
                    .as("the keeper's end")
                    .isTrue();
            assertThatThrownBy(() -> connect(node)).isInstanceOf(ConnectException.class);
            assertThat(description).doesNotExist();
        }
    }

    private static String contactPoint(Path description) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(description)) {
            properties.load(reader);
        }
        return properties.getProperty(ClusterKeeper.CONTACT_POINTS);
    }

    private static void connect(InetSocketAddress node) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(node);
        }
    }
}
