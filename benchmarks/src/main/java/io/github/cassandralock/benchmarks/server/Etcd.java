package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An etcd cluster. */
final class Etcd implements PeerSoftware {

    private static final int NODES = 3;
    private static final Path SERVER = Path.of("/usr/bin/etcd");

    @Override
    public boolean isInstalled() {
        return Files.isExecutable(SERVER);
    }

    @Override
    public PeerPlan plan() {
        List<Integer> ports = LoopbackPorts.choose(2 * NODES);
        List<Integer> clientPorts = ports.subList(0, NODES);
        List<Integer> peerPorts = ports.subList(NODES, 2 * NODES);
        return new PeerPlan(
                clientPorts.stream().map(Etcd::url).collect(Collectors.joining(",")),
                IntStream.range(0, NODES)
                        .mapToObj(index -> node(index, clientPorts.get(index), peerPorts))
                        .toList());
    }

    private static NodePlan node(int index, int clientPort, List<Integer> peerPorts) {
        return NodePlan.of(
                "etcd " + name(index), command(index, clientPort, peerPorts), Map.of(), () -> isHealthy(clientPort));
    }

    private static List<String> command(int index, int clientPort, List<Integer> peerPorts) {
        String clientUrl = url(clientPort);
        String peerUrl = url(peerPorts.get(index));
        return List.of(
                SERVER.toString(),
                "--name=" + name(index),
                "--data-dir=data",
                "--listen-client-urls=" + clientUrl,
                "--advertise-client-urls=" + clientUrl,
                "--listen-peer-urls=" + peerUrl,
                "--initial-advertise-peer-urls=" + peerUrl,
                "--initial-cluster=" + members(peerPorts),
                "--initial-cluster-state=new");
    }

    private static String members(List<Integer> peerPorts) {
        return IntStream.range(0, NODES)
                .mapToObj(index -> name(index) + "=" + url(peerPorts.get(index)))
                .collect(Collectors.joining(","));
    }

    private static String name(int index) {
        return "member-" + (index + 1);
    }

    private static String url(int port) {
        return "http://" + LoopbackPorts.HOST + ":" + port;
    }

    /** A member without a leader answers too, but is not healthy. */
    private static boolean isHealthy(int clientPort) throws IOException {
        return TextExchange.ask(clientPort, "GET /health HTTP/1.0\r\n\r\n").contains("\"health\":\"true\"");
    }
}
