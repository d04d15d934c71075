package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble. */
final class ZooKeeper implements PeerSoftware {

    private static final int NODES = 3;
    /** Its manifest names the jars it needs. */
    private static final Path JAR = Path.of("/usr/share/java/zookeeper.jar");
    /** Logs to standard error; without one of its kind there would be no log. */
    private static final Path LOGGER = Path.of("/usr/share/java/slf4j-simple.jar");

    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @Override
    public boolean isInstalled() {
        return Files.isReadable(JAR);
    }

    @Override
    public PeerPlan plan() {
        List<Integer> ports = LoopbackPorts.choose(3 * NODES);
        List<Integer> clientPorts = ports.subList(0, NODES);
        String servers = servers(ports.subList(NODES, 2 * NODES), ports.subList(2 * NODES, 3 * NODES));
        return new PeerPlan(
                clientPorts.stream()
                        .map(port -> LoopbackPorts.HOST + ":" + port)
                        .collect(Collectors.joining(",")),
                IntStream.rangeClosed(1, NODES)
                        .mapToObj(number -> node(number, clientPorts.get(number - 1), servers))
                        .toList());
    }

    private static String servers(List<Integer> quorumPorts, List<Integer> electionPorts) {
        return IntStream.rangeClosed(1, NODES)
                .mapToObj(number -> "server." + number + "=" + LoopbackPorts.HOST + ":" + quorumPorts.get(number - 1)
                        + ":" + electionPorts.get(number - 1))
                .collect(Collectors.joining("\n"));
    }

    private static NodePlan node(int number, int clientPort, String servers) {
        return NodePlan.of(
                "ZooKeeper node " + number,
                command(),
                Map.of("zoo.cfg", configuration(clientPort, servers), "data/myid", Integer.toString(number)),
                () -> hasRole(clientPort));
    }

    private static List<String> command() {
        return List.of(
                JAVA.toString(),
                "-Xmx256m",
                "-cp",
                JAR + ":" + LOGGER,
                "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                "zoo.cfg");
    }

    private static String configuration(int clientPort, String servers) {
        return """
                tickTime=2000
                initLimit=10
                syncLimit=5
                dataDir=data
                clientPortAddress=%s
                clientPort=%d
                maxClientCnxns=1000
                admin.enableServer=false
                4lw.commands.whitelist=srvr
                %s
                """.formatted(LoopbackPorts.HOST, clientPort, servers);
    }

    /** A node without a quorum listens too, but has no mode. */
    private static boolean hasRole(int clientPort) throws IOException {
        String answer = TextExchange.ask(clientPort, "srvr");
        return answer.contains("Mode: leader") || answer.contains("Mode: follower");
    }
}
