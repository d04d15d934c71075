package io.github.cassandralock.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** No timer stays pending for something that was closed, whichever comes first. */
class NextTimerTest {

    private final NextTimer next = new NextTimer(delay -> new CompletableFuture<>());

    @Test
    void closeCancelsTheTimerThatIsUnderWay() {
        CompletableFuture<Void> timer = next.after(Duration.ofSeconds(1));
        assertThat(timer).isNotDone();
        next.close();
        assertThat(timer).isCancelled();
    }

    @Test
    void timerThatIsStartedAfterTheCloseIsCancelled() {
        next.close();
        assertThat(next.after(Duration.ofSeconds(1))).isCancelled();
        assertThat(next.isClosed()).isTrue();
    }

    @Test
    void timerThatCannotBeStartedHasFailed() {
        NextTimer ended = new NextTimer(delay -> {
            throw new IllegalStateException("the timers have ended");
        });
        assertThat(ended.after(Duration.ofSeconds(1))).isCompletedExceptionally();
    }
}
