package io.github.cassandralock.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.startup.StartReport;
import io.github.cassandralock.internal.startup.StartStage;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.helpers.NOPLogger;

@Timeout(60)
class LockProbeTest {

    @Test
    void checkEndsWhileTheFirstTryOfALazyStartCreatesTables() {
        CountDownLatch tables = new CountDownLatch(1);
        DeferredAlgorithm algorithm = new DeferredAlgorithm(
                "cassandra-lock-",
                "ticket",
                false,
                progress -> {
                    progress.reached(StartStage.CREATION);
                    tables.await();
                    throw new IllegalStateException("closed");
                },
                failure -> new IllegalStateException(failure),
                new StartReport(NOPLogger.NOP_LOGGER, "Locks", String::valueOf),
                Duration.ofSeconds(5));
        try (ScheduledTimers timers = new ScheduledTimers();
                AlgorithmLocker locker =
                        new AlgorithmLocker(algorithm, Duration.ofSeconds(15), Ticker.system(), timers, List.of())) {
            assertThat(new LockProbe(locker, "ticket", Map::of, Map.of())
                            .check()
                            .problem())
                    .get(InstanceOfAssertFactories.THROWABLE)
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("Cassandra cannot be used now")
                    .hasMessageContaining("missing tables are being created");
        }
    }

    /** The first named locker answers when the second one is asked, and the third one never answers. */
    @Test
    void lockersAreAskedAtTheSameTimeAndOneThatHangsIsDown() {
        CompletableFuture<Optional<RemoteLock>> first = new CompletableFuture<>();
        RemoteLocker waits = answering(() -> first);
        RemoteLocker answers = answering(() -> {
            first.complete(Optional.empty());
            return CompletableFuture.completedFuture(Optional.empty());
        });
        RemoteLocker hangs = answering(CompletableFuture::new);
        Map<String, LockProbe> named = new LinkedHashMap<>();
        named.put("waits", probe(waits, Map.of()));
        named.put("hangs", probe(hangs, Map.of()));
        named.put("answers", probe(answers, Map.of()));
        LockProbe.Result result = probe(answers, named).check();
        assertThat(result.problem())
                .get(InstanceOfAssertFactories.THROWABLE)
                .isInstanceOf(LockTimeoutException.class)
                .hasMessageContaining("has not answered");
        Map<?, ?> lockers = (Map<?, ?>) Objects.requireNonNull(result.details().get("lockers"));
        assertThat(lockers.values().stream().map(state -> String.valueOf(((Map<?, ?>) state).get("status"))))
                .containsExactly("UP", "DOWN", "UP");
    }

    private static LockProbe probe(RemoteLocker locker, Map<String, LockProbe> named) {
        return new LockProbe(locker, "ticket", Map::of, named, Duration.ofMillis(10), "health");
    }

    private static RemoteLocker answering(Supplier<CompletableFuture<Optional<RemoteLock>>> answer) {
        RemoteLocker locker = mock(RemoteLocker.class);
        when(locker.tryGetLockAsync(anyString(), any())).thenAnswer(call -> answer.get());
        return locker;
    }
}
