package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class NodeMainTest {

    private static final Executor NEW_THREAD = task -> new Thread(task, "timer-slack-test").start();

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "other systems have no timer slack")
    void threadsStartedAfterwardsMayWakeUpLate() {
        String slack = CompletableFuture.supplyAsync(
                        () -> {
                            NodeMain.allowLateWakeUps("123456");
                            return CompletableFuture.supplyAsync(NodeMainTest::ownTimerSlack, NEW_THREAD)
                                    .join();
                        },
                        NEW_THREAD)
                .join();

        assertThat(slack).isEqualTo("123456");
    }

    private static String ownTimerSlack() {
        try {
            return Files.readString(NodeMain.timerSlack()).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
