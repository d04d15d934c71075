package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.TicketMeasurements;
import io.github.cassandralock.internal.simulation.TicketMember;
import io.github.cassandralock.internal.simulation.TicketWorld;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What notices save, step by step, in a simulated world without faults (notices, sections 2 and 3). Costs nothing. Catches a notice
 * that is not sent, or not listened to: that costs time only, so the schedules do not find it.
 */
class NoticedLockSimulationTest {

    /** A message takes at most half a millisecond; a request and its answer at most two of them. */
    private static final Duration SOON = Duration.ofMillis(6);

    private final TicketWorld world = TicketWorld.quietWithNotices(1, 3);
    private final TicketMember one = world.members().get(0);
    private final TicketMember two = world.members().get(1);

    private static CompletableFuture<Optional<Grant>> outcome(Attempt attempt) {
        return attempt.getOutcome().toCompletableFuture();
    }

    private Grant granted(Attempt attempt) {
        world.time().runUntil(outcome(attempt)::isDone, Duration.ofSeconds(1));
        return outcome(attempt).getNow(Optional.empty()).orElseThrow();
    }

    @Test
    void tryIsRefusedAsSoonAsTheHolderAnswersThatItHoldsTheLock() {
        granted(world.acquire(one, EXCLUSIVE));
        Attempt tries = world.tryAcquire(two, EXCLUSIVE);
        world.time().run(SOON);
        assertThat(outcome(tries)).isCompletedWithValue(Optional.empty());
    }

    @Test
    void waiterIsGrantedByTheNoticeOfTheHolderAndReadsNothing() {
        Grant holder = granted(world.acquire(one, EXCLUSIVE));
        Attempt waits = world.acquire(two, EXCLUSIVE);
        world.time().run(Duration.ofSeconds(1));
        long before = world.slots().operations();
        holder.release();
        world.time().runUntil(outcome(waits)::isDone, SOON);
        assertThat(outcome(waits)).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(world.slots().operations() - before)
                .as("operations: none, or the write of the release")
                .isLessThanOrEqualTo(1);
    }

    @Test
    void waitersAreGrantedOneAfterTheOtherByNoticesAloneWhileNobodyReads() {
        Grant holder = granted(world.acquire(one, EXCLUSIVE));
        List<Attempt> waiting = List.of(
                world.acquire(two, EXCLUSIVE), world.acquire(world.members().get(2), EXCLUSIVE));
        world.time().run(Duration.ofSeconds(1));
        long before = world.slots().operations();
        holder.release();
        for (Attempt waiter : waiting) {
            world.time().runUntil(outcome(waiter)::isDone, SOON);
            outcome(waiter).getNow(Optional.empty()).orElseThrow().release();
        }
        assertThat(world.slots().operations() - before)
                .as("operations: two releases, or what replaces them")
                .isLessThanOrEqualTo(3);
    }

    /** Returns how many operations a call needs that waits for a second, and gets the lock by a notice. */
    private long operationsOfAWait() {
        Grant holder = granted(world.acquire(two, EXCLUSIVE));
        long before = world.slots().operations();
        Attempt waits = world.acquire(one, EXCLUSIVE);
        world.time().run(Duration.ofSeconds(1));
        holder.release();
        granted(waits).release();
        world.time().run(Duration.ofSeconds(1));
        return world.slots().operations() - before;
    }

    /** Waiters read more often after notices that were missing. */
    @Test
    void waitThatAThreadOfTheOwnProcessEndsCountsNoNoticeAsMissing() {
        operationsOfAWait();
        long usual = operationsOfAWait();
        for (int wait = 0; wait < 5; wait++) {
            Grant elsewhere = granted(world.acquire(two, PROTECTED_READ));
            Grant here = granted(world.acquire(one, PROTECTED_READ));
            Attempt waits = world.acquire(one, EXCLUSIVE);
            world.time().run(Duration.ofMillis(50));
            elsewhere.release();
            world.time().run(SOON);
            here.release();
            granted(waits).release();
            world.time().run(Duration.ofSeconds(1));
        }
        assertThat(operationsOfAWait()).isEqualTo(usual);
    }

    /** Of a crowd on a busy machine, threads come back late. Without this, each of them would cost three operations more. */
    @Test
    void longWaiterReturnsWithOneWriteAfterTwentyMilliseconds() {
        Grant holder = granted(world.acquire(one, EXCLUSIVE));
        Attempt waits = world.acquire(two, EXCLUSIVE);
        world.acquire(world.members().get(2), EXCLUSIVE);
        world.time().run(Duration.ofSeconds(1));
        holder.release();
        Grant second = granted(waits);
        world.time().run(Duration.ofMillis(50));
        long before = world.slots().operations();
        second.release();
        world.time().run(Duration.ofMillis(20));
        world.acquire(two, EXCLUSIVE);
        world.time().run(SOON);
        assertThat(world.slots().operations() - before)
                .as("operations: the way back to the lock, and the read")
                .isEqualTo(2);
    }

    @Test
    void shortWaiterReturnsWithinThreeMillisecondsOrBeginsAnew() {
        Grant holder = granted(world.acquire(one, EXCLUSIVE));
        world.acquire(two, EXCLUSIVE);
        world.time().run(Duration.ofMillis(50));
        long before = world.slots().operations();
        holder.release();
        world.time().run(Duration.ofMillis(20));
        assertThat(world.slots().operations() - before)
                .as("operations: the slot is given up")
                .isEqualTo(1);
    }

    /** When the waiter read only after twice the expected time, the lock was idle for longer by the time of the whole queue. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deathInALongQueueLeavesTheLockIdleForALeaseAndAHalfAtMost(boolean refused) {
        assertThat(TicketMeasurements.idleAfterADeathInTheQueue(1, 200, Duration.ofMillis(47), refused))
                .isLessThan(Duration.ofMillis(22_500));
    }
}
