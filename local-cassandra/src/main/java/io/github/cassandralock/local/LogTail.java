package io.github.cassandralock.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a file, which may be large. */
final class LogTail {

    private static final int MAX_BYTES = 32 * 1024;

    private LogTail() {}

    /** At most the given number of lines; a note in their place if there is no such file or nothing in it. */
    static String of(Path file, int lines) {
        String end;
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            channel.position(Math.max(0, channel.size() - MAX_BYTES));
            ByteBuffer buffer = ByteBuffer.allocate(MAX_BYTES);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // until the buffer is full or the file ends
            }
            end = new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "(cannot be read: " + e + ")";
        }
        if (end.isBlank()) {
            return "(empty)";
        }
        List<String> all = end.lines().toList();
        return String.join("\n", all.subList(Math.max(0, all.size() - lines), all.size()));
    }
}
