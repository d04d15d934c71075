package io.github.cassandralock.internal.lazy;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.startup.StartReport;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * What becomes of attempts while the algorithm cannot be created, and of an algorithm that comes too late. Catches attempts that wait for ever, and grants and algorithms that nobody closes.
 */
@Timeout(20)
class DeferredAlgorithmTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final LockAlgorithm created = mock(LockAlgorithm.class);
    private final Attempt attempt = mock(Attempt.class);
    private final Grant grant = mock(Grant.class);
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();

    /** What the tries do: each takes the next one, and waits for it. */
    private final BlockingQueue<Callable<LockAlgorithm>> tries = new LinkedBlockingQueue<>();

    private final DeferredAlgorithm algorithm = new DeferredAlgorithm(
            "cassandra-lock-",
            "ticket",
            false,
            progress -> tries.take().call(),
            failure -> new IllegalArgumentException("translated"),
            new StartReport(
                    LoggerFactory.getLogger(DeferredAlgorithmTest.class),
                    "Locks",
                    failure -> "Cause: " + failure.getMessage() + "."),
            Duration.ofMillis(100));

    @BeforeEach
    void letTheAlgorithmGrantLater() {
        when(created.acquire(AcquireRequest.waits("k", "me"))).thenReturn(attempt);
        when(attempt.getOutcome()).thenReturn(outcome);
        when(created.closeAsync()).thenReturn(CompletableFuture.completedFuture(null));
    }

    @AfterEach
    void endTheThread() {
        algorithm.close();
    }

    private void nextTrySucceeds() {
        tries.add(() -> created);
    }

    private void nextTryFails(String why) {
        tries.add(() -> {
            throw new IllegalStateException(why);
        });
    }

    private static CompletableFuture<Optional<Grant>> outcomeOf(Attempt attempt) {
        return attempt.getOutcome().toCompletableFuture();
    }

    @Test
    void modesAreThoseThatAreKnownBeforeItIsThereAndThenItsOwn() throws Exception {
        assertThat(algorithm.supports(LockMode.EXCLUSIVE)).isTrue();
        assertThat(algorithm.supports(LockMode.NULL)).isFalse();
        when(created.supports(LockMode.NULL)).thenReturn(true);
        when(created.acquire(AcquireRequest.waits("k", "reader").in(LockMode.PROTECTED_READ)))
                .thenReturn(attempt);
        when(created.acquire(AcquireRequest.tries("k", "reader").in(LockMode.PROTECTED_READ)))
                .thenReturn(attempt);
        nextTrySucceeds();
        outcome.complete(Optional.of(grant));
        assertThat(outcomeOf(
                        algorithm.acquire(AcquireRequest.waits("k", "reader").in(LockMode.PROTECTED_READ))))
                .succeedsWithin(SOON)
                .isEqualTo(Optional.of(grant));
        assertThat(outcomeOf(
                        algorithm.acquire(AcquireRequest.tries("k", "reader").in(LockMode.PROTECTED_READ))))
                .succeedsWithin(SOON)
                .isEqualTo(Optional.of(grant));
        assertThat(algorithm.supports(LockMode.NULL)).isTrue();
    }

    @Test
    void attemptBeforeTheFirstTryHasEndedWaitsForIt() {
        Attempt early = algorithm.acquire(AcquireRequest.waits("k", "me"));
        assertThat(outcomeOf(early)).isNotDone();
        assertThat(early.getObstacle())
                .get(as(InstanceOfAssertFactories.type(Obstacle.StoreFails.class)))
                .extracting(Obstacle.StoreFails::last, as(InstanceOfAssertFactories.THROWABLE))
                .hasMessage("The first try to connect has not ended yet.");
        nextTrySucceeds();
        outcome.complete(Optional.of(grant));
        assertThat(outcomeOf(early)).succeedsWithin(SOON).isEqualTo(Optional.of(grant));
    }

    @Test
    void attemptsFailAtOnceWithTheReasonUntilATrySucceeds() {
        nextTryFails("no node");
        Attempt early = algorithm.acquire(AcquireRequest.tries("k", "me"));
        assertThat(outcomeOf(early))
                .failsWithin(SOON)
                .withThrowableOfType(Exception.class)
                .havingCause()
                .isInstanceOf(LockStoreException.class)
                .withMessageContainingAll("'k'", "since its start", "Nothing is held", "Cause: no node.", "again")
                .havingCause()
                .isInstanceOf(IllegalArgumentException.class)
                .withMessage("translated");
        assertThat(outcomeOf(algorithm.acquire(AcquireRequest.waits("k", "me"))))
                .isCompletedExceptionally();
        outcome.complete(Optional.of(grant));
        nextTrySucceeds();
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(outcomeOf(algorithm.acquire(AcquireRequest.waits("k", "me"))))
                        .isCompletedWithValue(Optional.of(grant)));
    }

    @Test
    void attemptThatIsGivenUpBeforeTheAlgorithmIsThereHoldsNothing() {
        Attempt early = algorithm.acquire(AcquireRequest.waits("k", "me"));
        early.giveUp();
        assertThat(outcomeOf(early)).failsWithin(SOON).withThrowableOfType(CancellationException.class);
        outcome.complete(Optional.of(grant));
        nextTrySucceeds();
        verify(grant, timeout(SOON.toMillis())).release();
        verify(attempt).giveUp();
    }

    @Test
    void attemptThatIsGivenUpLaterIsGivenUpInTheAlgorithm() {
        nextTrySucceeds();
        Attempt begun = algorithm.acquire(AcquireRequest.waits("k", "me"));
        verify(created, timeout(SOON.toMillis())).acquire(AcquireRequest.waits("k", "me"));
        begun.giveUp();
        verify(attempt).giveUp();
    }

    @Test
    void closingEndsTheTriesAndWhatWaitsForThem() {
        Attempt early = algorithm.acquire(AcquireRequest.waits("k", "me"));
        assertThat(algorithm.closeAsync().toCompletableFuture()).isCompleted();
        assertThat(outcomeOf(early))
                .failsWithin(SOON)
                .withThrowableOfType(Exception.class)
                .havingCause()
                .withMessageContaining("'k'")
                .withMessageContaining("closed");
    }

    @Test
    void algorithmThatIsCreatedAfterTheEndIsClosed() {
        CompletableFuture<Void> closing = new CompletableFuture<>();
        tries.add(() -> {
            closing.join(); // does not react to the interrupt, as the driver does not
            return created;
        });
        algorithm.begin();
        await().until(tries::isEmpty);
        algorithm.close();
        closing.complete(null);
        verify(created, timeout(SOON.toMillis())).close();
    }

    @Test
    void nothingIsCreatedAfterTheEnd() {
        nextTrySucceeds();
        algorithm.close();
        algorithm.begin();
        assertThat(outcomeOf(algorithm.acquire(AcquireRequest.waits("k", "me"))))
                .failsWithin(SOON)
                .withThrowableOfType(Exception.class)
                .havingCause()
                .withMessageContaining("closed");
        assertThat(tries).hasSize(1);
    }

    @Test
    void closingClosesTheAlgorithm() {
        nextTrySucceeds();
        outcome.complete(Optional.of(grant));
        assertThat(outcomeOf(algorithm.acquire(AcquireRequest.waits("k", "me"))))
                .succeedsWithin(SOON);
        algorithm.close();
        verify(created).closeAsync();
    }
}
