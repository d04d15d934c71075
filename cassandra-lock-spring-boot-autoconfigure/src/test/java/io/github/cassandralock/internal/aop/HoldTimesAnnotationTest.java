package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockRequest;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The minimum time of the annotation reaches the locker with every kind of result and both strategies. Costs a second; it fails
 * if one of the ways to take a lock forgets it.
 */
class HoldTimesAnnotationTest {

    private static final LockRequest REQUEST = LockRequest.of("k").holdAtLeast(Duration.ofMillis(500));

    private final AspectContext spring =
            AspectContext.of(true, Map.of("job.at-least", "PT0.5S", "job.at-most", "10m"), Jobs.class);
    private final InMemoryLocker locker = spring.locker();
    private final Jobs jobs = spring.bean(Jobs.class);

    static class Jobs {

        @DistributedLock(key = "'k'")
        public void without() {}

        @DistributedLock(key = "'k'", holdAtMost = "${job.at-most}")
        public void bounded() {}

        @DistributedLock(key = "'k'", holdAtLeast = "500ms", holdAtMost = "10m")
        public void boundedBothWays() {}

        @DistributedLock(key = "'k'", holdAtLeast = "500ms")
        public void waiting() {}

        @DistributedLock(key = "'k'", holdAtLeast = "500ms", timeout = "5s")
        public void impatient() {}

        @DistributedLock(key = "'k'", holdAtLeast = "${job.at-least}", strategy = TRY_GET_LOCK)
        public void scheduled() {}

        @DistributedLock(key = "'k'", holdAtLeast = "500ms")
        public CompletableFuture<Void> stage() {
            return CompletableFuture.completedFuture(null);
        }

        @DistributedLock(key = "'k'", holdAtLeast = "500ms", timeout = "5s")
        public CompletableFuture<Void> impatientStage() {
            return CompletableFuture.completedFuture(null);
        }

        @DistributedLock(key = "'k'", holdAtLeast = "500ms", strategy = TRY_GET_LOCK)
        public CompletableFuture<Void> softStage() {
            return CompletableFuture.completedFuture(null);
        }

        @DistributedLock(key = "'k'", holdAtLeast = "500ms")
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @DistributedLock(key = "'k'", holdAtLeast = "500ms", timeout = "5s")
        public Flux<String> impatientFlux() {
            return Flux.just("done");
        }

        @DistributedLock(key = "'k'", holdAtLeast = "500ms", strategy = TRY_GET_LOCK)
        public Flux<String> softFlux() {
            return Flux.just("done");
        }
    }

    @AfterEach
    void close() {
        spring.close();
    }

    @Test
    void methodWithoutItAsksForNoMinimum() {
        jobs.without();
        assertThat(locker.requests).containsExactly(LockRequest.of("k"));
    }

    @Test
    void longestTimeIsThatOfEachRequest() {
        Duration most = Duration.ofMinutes(10);
        jobs.bounded();
        jobs.boundedBothWays();
        assertThat(locker.requests).containsExactly(LockRequest.of("k").holdAtMost(most), REQUEST.holdAtMost(most));
    }

    @Test
    void methodThatReturnsItsResultAsksForIt() {
        jobs.waiting();
        jobs.impatient();
        jobs.scheduled();
        assertThat(locker.requests).containsExactly(REQUEST, REQUEST, REQUEST);
    }

    @Test
    void methodThatReturnsAStageAsksForIt() {
        jobs.stage().join();
        jobs.impatientStage().join();
        jobs.softStage().join();
        assertThat(locker.requests).containsExactly(REQUEST, REQUEST, REQUEST);
    }

    @Test
    void methodThatReturnsAPublisherAsksForIt() {
        jobs.mono().block();
        jobs.impatientFlux().blockLast();
        jobs.softFlux().blockLast();
        assertThat(locker.requests).containsExactly(REQUEST, REQUEST, REQUEST);
    }
}
