package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.processes.JvmProcess;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs without a web server, and without Spring, whose main thread returns when a handler runs. Catches programs that end at
 * once, and programs that do not end.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@Tag("slow")
@Tag("nightly")
class NonWebApplicationIT {

    /** A program that nothing keeps alive ends in a few milliseconds. */
    private static final long ALIVE_MILLIS = 1_500;

    private static JvmProcess started(String kind) throws Exception {
        JvmProcess program = JvmProcess.start(HandlerProgram.class, List.of(kind));
        program.awaitLine(HandlerProgram.RETURNED);
        return program;
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "stubborn", "spring"})
    void programLivesUntilTheHandlerIsClosed(String kind) throws Exception {
        try (JvmProcess program = started(kind)) {
            assertThat(program.endsWithin(ALIVE_MILLIS)).isFalse();
            program.stop();
            assertThat(program.process().exitValue()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "stubborn", "spring"})
    void programEndsWithItsSignal(String kind) throws Exception {
        try (JvmProcess program = started(kind)) {
            program.terminate();
            assertThat(program.process().exitValue()).isEqualTo(128 + 15);
        }
    }
}
