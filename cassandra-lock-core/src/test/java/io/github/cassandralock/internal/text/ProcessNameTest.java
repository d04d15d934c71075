package io.github.cassandralock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessNameTest {

    /** As the operating system names it, so no name service delays the start. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void nameOfTheProcessBeginsWithTheNameOfTheMachine() throws IOException {
        assertThat(ProcessName.ofThisProcess())
                .startsWith(
                        Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + "-");
    }

    @Test
    void nameOfTheProcessContainsTheHost() {
        assertThat(ProcessName.ofThisProcess())
                .matches(".+-" + ProcessHandle.current().pid());
    }
}
