package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class NodeReportsTest {

    private final AtomicInteger changes = new AtomicInteger();
    private final NodeReports reports = new NodeReports(changes::incrementAndGet);

    @Test
    void readsWhatANodeTells() {
        readAll("local-cassandra pid 4711\nlocal-cassandra started\nlocal-cassandra view 127.0.0.1=5,127.0.0.2=6\n");

        assertThat(reports.pid()).hasValue(4711);
        assertThat(reports.started()).isTrue();
        assertThat(reports.view()).isEqualTo(Map.of("127.0.0.1", "5", "127.0.0.2", "6"));
    }

    @Test
    void passesOverOtherLines() {
        readAll("some library says hello\n");

        assertThat(reports.pid()).isEmpty();
        assertThat(reports.started()).isFalse();
    }

    @Test
    void noticesTheEnd() {
        assertThat(reports.ended()).isFalse();

        readAll("");

        assertThat(reports.ended()).isTrue();
        assertThat(changes).hasValue(1);
    }

    private void readAll(String lines) {
        reports.readAll(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
    }
}
