package io.github.cassandralock.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.internal.lazy.DeferredAlgorithm;
import io.github.cassandralock.internal.locker.AlgorithmLocker;
import io.github.cassandralock.internal.startup.StartReport;
import io.github.cassandralock.internal.startup.StartStage;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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
                "ticket",
                mode -> mode == LockMode.EXCLUSIVE,
                true,
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
            assertThat(new LockProbe(locker, "ticket", Map::of).problem())
                    .get(InstanceOfAssertFactories.THROWABLE)
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("Cassandra cannot be used now")
                    .hasMessageContaining("missing tables are being created");
        }
    }
}
