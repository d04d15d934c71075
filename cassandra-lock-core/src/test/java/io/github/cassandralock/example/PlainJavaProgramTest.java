package io.github.cassandralock.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The core needs neither a framework nor a driver. The test takes a second; it fails if an algorithm or the locker
 * needs one.
 */
class PlainJavaProgramTest {

    private final PrintStream standardOutput = System.out;

    @AfterEach
    void restoreStandardOutput() {
        System.setOut(standardOutput);
    }

    @Test
    void plainJavaProgramTakesLocks() {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        PlainJavaProgram.main(new String[] {"account:1", "account:2"});
        assertThat(output.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "account:1 held: true, refused to others: true",
                        "account:2 held: true, refused to others: true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org/springframework/core/SpringVersion.class",
                "org/springframework/boot/SpringApplication.class",
                "com/datastax/oss/driver/api/core/CqlSession.class"
            })
    void neitherSpringNorADriverIsOnTheClassPath(String type) {
        assertThat(getClass().getClassLoader().getResource(type)).isNull();
    }
}
