package io.github.cassandralock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Timeout(120)
class PeerServersIT {

    private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");
    private static final Pattern NODE = Pattern.compile("node (\\d+) (.+)");
    private static final Duration BOUND = Duration.ofSeconds(10);

    private record Node(ProcessHandle process, Path directory) {}

    @ParameterizedTest
    @EnumSource
    void servesUntilClosed(Peer peer) {
        assumeInstalled(peer);
        List<Integer> ports;
        List<ProcessHandle> processes;
        List<Path> directories;

        try (PeerServer server = PeerServer.start(peer)) {
            ports = ports(server.address());
            processes = server.nodes().stream().flatMap(PeerServersIT::tree).toList();
            directories = server.nodes().stream().map(PeerProcess::directory).toList();

            assertThat(ports).hasSameSizeAs(server.nodes());
            assertThat(ports)
                    .allSatisfy(port -> assertThatCode(() -> connect(port)).doesNotThrowAnyException());
            assertThat(server.nodes()).allMatch(PeerProcess::serves);
        }

        assertThat(processes).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        assertThat(directories).isNotEmpty().allMatch(Files::notExists);
        assertThat(ports)
                .allSatisfy(port -> assertThatThrownBy(() -> connect(port)).isInstanceOf(ConnectException.class));
    }

    @ParameterizedTest
    @EnumSource
    void killedParentLeavesNothingBehind(Peer peer) throws Exception {
        assumeInstalled(peer);
        try (JvmProcess parent = JvmProcess.start(PeerParent.class, List.of(peer.name()))) {
            List<Node> nodes = awaitNodes(parent);
            assertThat(nodes).isNotEmpty().allMatch(node -> node.process().isAlive());

            parent.kill();

            await().atMost(BOUND)
                    .until(() -> nodes.stream()
                            .noneMatch(node -> node.process().isAlive() || Files.exists(node.directory())));
        }
    }

    private static void assumeInstalled(Peer peer) {
        assumeThat(peer.isInstalled())
                .as("%s needs the Debian package %s", peer, peer.debianPackage())
                .isTrue();
    }

    private static List<Integer> ports(String address) {
        return PORT.matcher(address)
                .results()
                .map(result -> Integer.valueOf(result.group(1)))
                .toList();
    }

    private static Stream<ProcessHandle> tree(PeerProcess node) {
        return Stream.concat(Stream.of(node.handle()), node.handle().descendants());
    }

    private static void connect(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(LoopbackPorts.address(port));
        }
    }

    /** The stream is left open: it ends with the process. */
    private static List<Node> awaitNodes(JvmProcess parent) {
        return parent.output()
                .lines()
                .takeWhile(line -> !line.equals("started"))
                .map(NODE::matcher)
                .filter(Matcher::matches)
                .map(PeerServersIT::node)
                .toList();
    }

    private static Node node(Matcher line) {
        return new Node(ProcessHandle.of(Long.parseLong(line.group(1))).orElseThrow(), Path.of(line.group(2)));
    }
}
