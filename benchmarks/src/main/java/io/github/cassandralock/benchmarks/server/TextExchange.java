package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One request and its answer, in a protocol of plain text whose server hangs up after the answer. */
final class TextExchange {

    private static final int TIMEOUT_MILLIS = 2_000;

    private TextExchange() {}

    static String ask(int port, String request) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(LoopbackPorts.address(port), TIMEOUT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
