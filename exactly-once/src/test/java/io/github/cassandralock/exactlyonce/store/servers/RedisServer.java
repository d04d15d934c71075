package io.github.cassandralock.exactlyonce.store.servers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Redis of Debian's package {@code redis-server}, with empty data. */
public final class RedisServer implements AutoCloseable {

    private static final Path PROGRAM = Path.of("/usr/bin/redis-server");

    private final ServerProcess process;
    private final InetSocketAddress address;

    private RedisServer(ServerProcess process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /**
     * Skips the test if Redis is not installed.
     *
     * @param settings as on the command line
     */
    public static RedisServer start(String... settings) {
        assumeTrue(Files.isExecutable(PROGRAM), "There is no " + PROGRAM + ". On Debian: apt-get install redis-server");
        InetSocketAddress address = ServerProcess.freeAddress();
        List<String> command = new ArrayList<>(List.of(
                PROGRAM.toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                Integer.toString(address.getPort()),
                "--save",
                ""));
        command.addAll(List.of(settings));
        return new RedisServer(
                ServerProcess.start(ServerProcess.directory(false), "TERM", command, () -> serves(address)), address);
    }

    private static boolean serves(InetSocketAddress address) throws IOException {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            socket.setSoTimeout(2_000);
            socket.getOutputStream().write("PING\r\nQUIT\r\n".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).startsWith("+PONG");
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    @Override
    public void close() {
        process.close();
    }
}
