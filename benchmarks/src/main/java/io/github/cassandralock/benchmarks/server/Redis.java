package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A single Redis that writes nothing to disk. */
final class Redis implements PeerSoftware {

    private static final Path SERVER = Path.of("/usr/bin/redis-server");

    @Override
    public boolean isInstalled() {
        return Files.isExecutable(SERVER);
    }

    @Override
    public PeerPlan plan() {
        int port = LoopbackPorts.choose(1).get(0);
        NodePlan node = NodePlan.of("Redis", command(port), Map.of(), () -> answersPing(port));
        return new PeerPlan("redis://" + LoopbackPorts.HOST + ":" + port, List.of(node));
    }

    private static List<String> command(int port) {
        return List.of(
                SERVER.toString(),
                "--bind",
                LoopbackPorts.HOST,
                "--port",
                Integer.toString(port),
                "--save",
                "",
                "--appendonly",
                "no");
    }

    private static boolean answersPing(int port) throws IOException {
        return TextExchange.ask(port, "PING\r\nQUIT\r\n").startsWith("+PONG");
    }
}
