package io.github.cassandralock.testing.workload;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Reads a journal while it grows. Not thread-safe. */
public final class JournalReader {

    private final JsonMapper mapper = new JsonMapper();
    private final Path path;
    private final List<Event> events = new ArrayList<>();
    private long position;

    public JournalReader(Path path) {
        this.path = path;
    }

    /** What has been recorded so far, without a line that is being written, or was when its process was killed. */
    public List<Event> events() {
        if (Files.exists(path)) {
            try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
                byte[] unread = new byte[Math.toIntExact(file.length() - position)];
                file.seek(position);
                file.readFully(unread);
                parse(unread);
            } catch (IOException e) {
                throw new UncheckedIOException("Not a journal: " + path, e);
            }
        }
        return Collections.unmodifiableList(events);
    }

    private void parse(byte[] unread) throws IOException {
        int start = 0;
        for (int i = 0; i < unread.length; i++) {
            if (unread[i] == '\n') {
                events.add(mapper.readValue(new String(unread, start, i - start, StandardCharsets.UTF_8), Event.class));
                start = i + 1;
            }
        }
        position += start;
    }
}
