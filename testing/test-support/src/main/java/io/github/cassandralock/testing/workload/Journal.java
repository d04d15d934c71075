package io.github.cassandralock.testing.workload;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** Events as lines of JSON at the end of a file, each written at once: what a killed process recorded is there. Thread-safe. */
public final class Journal implements Consumer<Event>, AutoCloseable {

    private final JsonMapper mapper = new JsonMapper();
    private final FileChannel file;

    public Journal(Path path) throws IOException {
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public void accept(Event event) {
        try {
            file.write(ByteBuffer.wrap((mapper.writeValueAsString(event) + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
