package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Grant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tokens of holders whose reservation fails or whose lock ends meanwhile. */
class TicketTokenTest extends ScriptedStoreTest {

    @Test
    void firstTokenOfALockIsOneAboveTheFloorOfTheWallClock() {
        long seconds = process.readMicros() / 1_000_000 - 1_577_836_800;
        assertThat(acquire().join().orElseThrow().reserveFencingToken().toCompletableFuture())
                .isCompletedWithValue((seconds << 20) + 1);
    }

    @Test
    void tokenCanBeAskedForAgainAfterItsReservationFailed() {
        Grant grant = acquire().join().orElseThrow();
        store.reserves = false;
        CompletableFuture<Long> failing = grant.reserveFencingToken().toCompletableFuture();
        time.run(LEASE.plusSeconds(1));
        assertThat(failing).as("the token, after a lease without an answer").isCompletedExceptionally();
        assertThat(grant.isValid()).as("the lock, whose session is renewed").isTrue();
        store.reserves = true;
        assertThat(grant.reserveFencingToken().toCompletableFuture()).isCompleted();
    }

    @Test
    void tokenIsNotShownIfTheLockWasReleasedBeforeTheReservation() {
        Grant grant = acquire().join().orElseThrow();
        CompletableFuture<WriteOutcome> late = new CompletableFuture<>();
        store.reservation = late;
        CompletableFuture<Long> token = grant.reserveFencingToken().toCompletableFuture();
        grant.release();
        late.complete(WriteOutcome.APPLIED);
        assertThat(token).isCompletedExceptionally();
    }

    @Test
    void tokenIsNotShownIfTheLockWasLostBeforeTheReservation() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = algorithm
                .acquire(AcquireRequest.waits("lock", "thread"))
                .getOutcome()
                .toCompletableFuture()
                .join()
                .orElseThrow();
        CompletableFuture<WriteOutcome> late = new CompletableFuture<>();
        store.reservation = late;
        CompletableFuture<Long> token = grant.reserveFencingToken().toCompletableFuture();
        algorithm.abandonAll(new LockLoss(LockLoss.Reason.OTHER, "the process was restored from a checkpoint"));
        late.complete(WriteOutcome.APPLIED);
        assertThat(token).isCompletedExceptionally();
    }

    /** The clock does not move here, so the hold does not end because of its duration. */
    @Test
    void noTokenIsHigherThanTheReservationHoweverOftenALockIsHandedOver() {
        TicketAlgorithm algorithm = algorithm();
        List<CompletableFuture<Grant>> grants = IntStream.range(0, 2_500)
                .mapToObj(number -> algorithm
                        .acquire(AcquireRequest.waits("lock", "thread " + number))
                        .getOutcome()
                        .toCompletableFuture()
                        .thenApply(Optional::orElseThrow))
                .toList();
        long highest = 0;
        for (CompletableFuture<Grant> next : grants) {
            Grant grant = next.join();
            long token = grant.reserveFencingToken().toCompletableFuture().join();
            assertThat(token)
                    .as("token after %d", highest)
                    .isGreaterThan(highest)
                    .isLessThanOrEqualTo(store.reserved);
            highest = token;
            grant.release();
        }
    }
}
