package io.github.cassandralock.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WorkersTest {

    @TempDir
    private Path logs;

    /** Of two workers, the first never answers, and the second one dies of its first order. */
    static final class Mortal {

        public static void main(String[] arguments) throws IOException {
            System.in.read();
            if (arguments[1].equals("2")) {
                System.err.println("out of something");
                System.exit(3);
            }
            while (System.in.read() >= 0) {
                // until the parent closes the pipe or dies
            }
        }
    }

    @Test
    void aProcessThatDiesEndsTheRunWithWhatItSaid() {
        try (Workers workers = Workers.start(2, new Program(Mortal.class, "worker", Map.of(), List.of()), logs)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workers.begin(2, Algorithm.TICKET, Work.onOneLock("lock")))
                    .withMessageContaining("Worker process 2 has died")
                    .withMessageContaining("out of something");
        }
    }
}
