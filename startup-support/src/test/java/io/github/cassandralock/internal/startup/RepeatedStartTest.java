package io.github.cassandralock.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** A start that fails at first. It fails if calls would wait for longer than the first try, or if no second try follows. */
@Timeout(20)
class RepeatedStartTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final CompletableFuture<String> opening = new CompletableFuture<>();
    private final RepeatedStart<String> session = start("session", progress -> opened(), String::valueOf);
    private @Nullable RepeatedStart<String> locks;

    private static RepeatedStart<String> start(
            String name, Creation<String> creation, Function<Throwable, String> explanation) {
        StartReport report = new StartReport(LoggerFactory.getLogger(RepeatedStartTest.class), name, explanation);
        return new RepeatedStart<>(name, creation, unwanted -> {}, report, Duration.ofMillis(10));
    }

    private String opened() throws Exception {
        try {
            return opening.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    @AfterEach
    void endTheThreads() {
        session.close();
        if (locks != null) {
            locks.close();
        }
    }

    @Test
    void firstTryEndsWithTheReasonOfASessionWhoseFirstTryFailsLater() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        RepeatedStart<String> waiting = start(
                "locks",
                progress -> {
                    thread.set(Thread.currentThread());
                    session.begin();
                    IllegalStateException notOpen = new IllegalStateException("not open yet");
                    notOpen.addSuppressed(new NotOpenMark(session));
                    throw notOpen;
                },
                String::valueOf);
        locks = waiting;
        CompletableFuture<String> answer = waiting.current().toCompletableFuture();
        await().until(() -> thread.get() != null && thread.get().getState() == Thread.State.WAITING);
        assertThat(answer).isNotDone();
        opening.completeExceptionally(new IllegalStateException("no node answers"));
        assertThat(answer)
                .failsWithin(SOON)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("no node answers");
    }

    @Test
    void tryIsRepeatedEvenIfTheExplanationOfAFailureThrows() {
        AtomicReference<String> created = new AtomicReference<>();
        RepeatedStart<String> failing = start(
                "locks",
                progress -> {
                    if (created.getAndSet("created") == null) {
                        throw new IllegalStateException("no node answers");
                    }
                    return "created";
                },
                failure -> {
                    throw new IllegalArgumentException("cannot be explained");
                });
        locks = failing;
        assertThat(failing.current().toCompletableFuture())
                .failsWithin(SOON)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining("no node answers");
        await().atMost(SOON).until(() -> failing.created().isPresent());
    }
}
