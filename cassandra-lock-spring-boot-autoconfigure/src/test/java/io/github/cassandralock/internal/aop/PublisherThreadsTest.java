package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class PublisherThreadsTest {

    /** Otherwise the error ends in the future of the locker, the lock stays, and the subscriber waits for ever. */
    @Test
    void subscriberFailsIfTheMachineCannotStartAThread() {
        PublisherThreads threads = new PublisherThreads();
        threads.setThreadFactory(task -> {
            throw new OutOfMemoryError("unable to create native thread");
        });
        assertThatThrownBy(() ->
                        Mono.just("granted").publishOn(threads.scheduler()).block(Duration.ofSeconds(10)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasRootCauseInstanceOf(OutOfMemoryError.class);
        threads.shutdown();
    }
}
