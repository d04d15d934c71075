package io.github.cassandralock.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The lines that one run of a process wrote to its log.
 *
 * @param lines the lines of the run, or the last 512 KiB of these lines
 */
public record LogExcerpt(List<String> lines) {

    private static final int MAX_BYTES = 512 * 1024;
    private static final int LINES = 40;
    private static final int LINES_FROM_ERROR = 30;

    public LogExcerpt {
        lines = List.copyOf(lines);
    }

    /**
     * Reads a log file by its path.
     *
     * @param start where in the file the run begins
     */
    public static LogExcerpt read(Path file, long start) {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            return read(channel, start);
        } catch (IOException e) {
            return new LogExcerpt(List.of("(cannot be read: " + e + ")"));
        }
    }

    /**
     * Reads a log that may have been deleted since it was opened.
     *
     * @param start where in the file the run begins
     */
    public static LogExcerpt read(SeekableByteChannel channel, long start) {
        try {
            channel.position(Math.max(start, channel.size() - MAX_BYTES));
            ByteBuffer buffer = ByteBuffer.allocate(MAX_BYTES);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // until the buffer is full or the file ends
            }
            return new LogExcerpt(new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            return new LogExcerpt(List.of("(cannot be read: " + e + ")"));
        }
    }

    boolean contains(String text) {
        return lines.stream().anyMatch(line -> line.contains(text));
    }

    /**
     * The last 40 lines. If an error precedes them: 30 lines from the error, then the last 10. A failing node logs much while it
     * drains.
     */
    @Override
    public String toString() {
        if (lines.isEmpty()) {
            return "(empty)";
        }
        int tail = Math.max(0, lines.size() - LINES);
        int error = firstError();
        if (error >= tail) {
            return String.join("\n", lines.subList(tail, lines.size()));
        }
        return String.join("\n", lines.subList(error, error + LINES_FROM_ERROR))
                + "\n...\n"
                + String.join("\n", lines.subList(lines.size() - (LINES - LINES_FROM_ERROR), lines.size()));
    }

    private int firstError() {
        return IntStream.range(0, lines.size())
                .filter(index -> lines.get(index).startsWith("ERROR"))
                .findFirst()
                .orElse(lines.size());
    }
}
