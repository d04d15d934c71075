package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The last of what a server wrote, to see why it does not serve. */
record LogEnd(List<String> lines) {

    private static final int MAX_BYTES = 16 * 1024;
    private static final int LINES = 40;

    LogEnd {
        lines = List.copyOf(lines);
    }

    static LogEnd of(FileChannel log) {
        try {
            long start = Math.max(0, log.size() - MAX_BYTES);
            ByteBuffer buffer = ByteBuffer.allocate(MAX_BYTES);
            while (buffer.hasRemaining() && log.read(buffer, start + buffer.position()) >= 0) {
                // until the buffer is full or the file ends
            }
            List<String> lines = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return new LogEnd(lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
        } catch (IOException e) {
            return new LogEnd(List.of("(cannot be read: " + e + ")"));
        }
    }

    @Override
    public String toString() {
        return lines.isEmpty() ? "(empty)" : String.join("\n", lines);
    }
}
