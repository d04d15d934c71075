package io.github.cassandralock.internal.locker.held;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.locker.PlainGrant;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * What becomes of a grant in each order in which its holder, its lease, the end of the locker and the time may end it. Costs
 * nothing; it fails if the grant is kept for longer than its time, is released or left behind twice, or a timer is left.
 */
class MinimumHoldTest {

    private static final Duration AT_LEAST = Duration.ofMinutes(10);
    private static final Duration SOON = Duration.ofSeconds(10);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final List<CompletableFuture<Void>> begun = new ArrayList<>();
    private final Timers timers = delay -> {
        CompletableFuture<Void> timer = process.after(delay);
        begun.add(timer);
        return timer;
    };
    private final Recorded grant = new Recorded();
    private final List<MinimumHold> over = new ArrayList<>();
    private final MinimumHold hold = new MinimumHold(grant, AT_LEAST, process, timers, over::add);

    /** Notes its end. */
    private static final class Recorded extends PlainGrant {

        private final List<String> ends = new ArrayList<>();
        private Runnable whileFoundValid = () -> {};

        @Override
        public boolean isValid() {
            boolean valid = ends.isEmpty() && super.isValid();
            whileFoundValid.run();
            return valid;
        }

        @Override
        public CompletionStage<Void> release() {
            ends.add("released");
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> keepTaken(Duration atLeast) {
            ends.add("left for " + atLeast);
            return CompletableFuture.completedFuture(null);
        }
    }

    private void endsOnce(String end) {
        assertThat(grant.ends).containsExactly(end);
        assertThat(over).containsExactly(hold);
        assertThat(begun).as("timers").allSatisfy(timer -> assertThat(timer).isDone());
        hold.release();
        hold.endWithin(Duration.ZERO, Throttle.NONE);
        hold.skip();
        time.run(AT_LEAST.multipliedBy(2));
        assertThat(grant.ends).containsExactly(end);
    }

    @Test
    void releasedSoonerItIsGivenBackWhenTheTimeHasPassed() {
        assertThat(hold.release().toCompletableFuture()).isCompleted();
        assertThat(hold.isValid()).isFalse();
        time.run(AT_LEAST.minus(SOON));
        assertThat(grant.ends).isEmpty();
        time.run(SOON.plusMillis(1));
        endsOnce("released");
    }

    @Test
    void holdIsOverBeforeWhoWaitsForItsEndGoesOn() {
        List<MinimumHold> overAtTheEnd = new ArrayList<>();
        hold.endWithin(AT_LEAST, Throttle.NONE).thenRun(() -> overAtTheEnd.addAll(over));
        hold.release();
        time.run(AT_LEAST.plusMillis(1));
        assertThat(overAtTheEnd).containsExactly(hold);
    }

    @Test
    void callerThatTriesWhenTheTimeHasPassedDoesNotDependOnTheTimer() {
        hold.release();
        process.pauseFor(AT_LEAST.plus(SOON));
        time.run(AT_LEAST.minus(SOON));
        hold.releaseIfDue();
        assertThat(grant.ends).isEmpty();
        time.run(SOON.plusMillis(1));
        hold.releaseIfDue();
        assertThat(grant.ends).containsExactly("released");
    }

    @Test
    void leaseThatIsLostEndsTheTime() {
        hold.release();
        grant.abandon(new LockLoss(LockLoss.Reason.OTHER, "lost"));
        endsOnce("released");
        assertThat(hold.getLoss().toCompletableFuture())
                .as("told to the holder")
                .isNotDone();
    }

    @Test
    void leaseThatIsLostDuringTheReleaseEndsTheTimeToo() {
        grant.whileFoundValid = () -> grant.abandon(new LockLoss(LockLoss.Reason.OTHER, "lost"));
        hold.release();
        endsOnce("released");
    }

    @Test
    void lockThatNobodyGotIsGivenBackAtOnce() {
        hold.skip();
        hold.release();
        endsOnce("released");
    }

    /** The end of the locker releases a lock while its future is cancelled. */
    @Test
    void lockThatNobodyGotIsGivenBackAlsoAfterItsRelease() {
        hold.release();
        hold.skip();
        endsOnce("released");
    }

    @Test
    void lockThatNobodyGotIsGivenBackAlsoDuringItsRelease() {
        grant.whileFoundValid = hold::skip;
        hold.release();
        endsOnce("released");
    }

    @Test
    void endOfTheLockerLeavesItBehind() {
        hold.release();
        time.run(SOON);
        hold.endWithin(SOON, Throttle.NONE);
        endsOnce("left for " + AT_LEAST.minus(SOON));
    }

    /** A thread of the application closes its handle, and the end of the locker does not find that handle any more. */
    @Test
    void endOfTheLockerLeavesBehindWhatIsReleasedLater() {
        CompletionStage<Void> end = hold.endWithin(SOON, Throttle.NONE);
        assertThat(grant.ends).isEmpty();
        hold.release();
        assertThat(end.toCompletableFuture()).isCompleted();
        endsOnce("left for " + AT_LEAST);
    }

    @Test
    void endOfTheLockerWaitsForAShortRest() {
        hold.release();
        time.run(AT_LEAST.minus(SOON).plusMillis(1));
        CompletionStage<Void> end = hold.endWithin(SOON, Throttle.NONE);
        assertThat(end.toCompletableFuture()).isNotDone();
        time.run(SOON);
        endsOnce("released");
    }

    @Test
    void timersThatEndLeaveItBehind() {
        hold.release();
        begun.get(0).completeExceptionally(new IllegalStateException("closed"));
        endsOnce("left for " + AT_LEAST);
    }
}
