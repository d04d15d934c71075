package io.github.cassandralock.internal.ticket;

import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.simulation.TicketMember;
import io.github.cassandralock.internal.simulation.TicketWorld;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who shares a lock, who waits for whom, and what it costs, step by step in a simulated world without faults (lock modes, section
 * 2). Costs nothing. Catches rules whose faults cost time only, which the schedules do not find.
 */
class SharedLockSimulationTest {

    /** More than {@code local-handover.max-duration} in this world. */
    private static final Duration TOO_OLD = Duration.ofMillis(30);

    private static final Duration A_WHILE = Duration.ofMillis(300);

    private final TicketWorld world = TicketWorld.quiet(1, 3);
    private final TicketMember one = world.members().get(0);
    private final TicketMember two = world.members().get(1);
    private final TicketMember three = world.members().get(2);

    private Attempt acquire(TicketMember member, LockMode mode) {
        return world.acquire(member, mode);
    }

    private Grant granted(TicketMember member, LockMode mode) {
        return grantOf(acquire(member, mode));
    }

    /** What an attempt gets within a while. */
    private Grant grantOf(Attempt attempt) {
        world.time().runUntil(attempt.getOutcome().toCompletableFuture()::isDone, A_WHILE);
        assertThat(isGranted(attempt)).as("granted within a while").isTrue();
        return attempt.getOutcome().toCompletableFuture().join().orElseThrow();
    }

    private static boolean isGranted(Attempt attempt) {
        return attempt.getOutcome()
                .toCompletableFuture()
                .getNow(Optional.empty())
                .isPresent();
    }

    private static Stream<List<LockMode>> pairs() {
        return Arrays.stream(LockMode.values())
                .flatMap(one -> Arrays.stream(LockMode.values()).map(other -> List.of(one, other)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void ofAllPairsOfModesThoseThatAreCompatibleHoldTheLockTogether(List<LockMode> pair) {
        boolean together = pair.get(0).isCompatibleWith(pair.get(1));
        for (TicketMember member : List.of(one, two)) {
            Grant first = granted(one, pair.get(0));
            Attempt tries = world.tryAcquire(member, pair.get(1));
            world.time().run(A_WHILE);
            assertThat(isGranted(tries)).as("a try").isEqualTo(together);
            if (together) {
                grantOf(tries).release();
            }
            Attempt waits = acquire(member, pair.get(1));
            world.time().run(A_WHILE);
            assertThat(isGranted(waits)).as("a call that waits").isEqualTo(together);
            first.release();
            grantOf(waits).release();
            world.time().run(A_WHILE);
        }
    }

    @Test
    void readersOfOneProcessShareASlotWithoutAnOperation() {
        granted(one, PROTECTED_READ);
        long before = world.slots().operations();
        for (int reader = 0; reader < 10; reader++) {
            granted(one, PROTECTED_READ);
        }
        assertThat(world.slots().operations() - before).isZero();
    }

    @Test
    void readersThatWaitTogetherCostWhatOneCosts() {
        Grant writer = granted(two, EXCLUSIVE);
        List<Attempt> readers =
                Stream.generate(() -> acquire(one, PROTECTED_READ)).limit(10).toList();
        world.time().run(Duration.ofMillis(10));
        long before = world.slots().operations();
        writer.release();
        readers.forEach(this::grantOf);
        assertThat(world.slots().operations() - before)
                .as("operations of the release and of one waiter's reads")
                .isLessThanOrEqualTo(5);
    }

    @Test
    void readerThatComesLongAfterTheFirstOneDoesNotPassAWriterElsewhere() {
        Grant reader = granted(one, PROTECTED_READ);
        Attempt writer = acquire(two, EXCLUSIVE);
        world.time().run(TOO_OLD);
        Attempt late = acquire(one, PROTECTED_READ);
        Attempt elsewhere = acquire(three, PROTECTED_READ);
        world.time().run(A_WHILE);
        assertThat(isGranted(late)).as("a reader of the holder's process").isFalse();
        assertThat(isGranted(elsewhere)).as("a reader elsewhere").isFalse();
        reader.release();
        Grant written = grantOf(writer);
        assertThat(isGranted(late) || isGranted(elsewhere))
                .as("a reader beside the writer")
                .isFalse();
        written.release();
        grantOf(late);
        grantOf(elsewhere);
    }

    /** With a slot for each of them, all processes would read a row for each thread that waits for the writer. */
    @Test
    void readersThatComeWhileAWriterHoldsTheLockForLongWaitWithOneSlot() {
        Grant writer = granted(two, EXCLUSIVE);
        List<Attempt> readers = new ArrayList<>();
        for (int reader = 0; reader < 50; reader++) {
            readers.add(acquire(one, PROTECTED_READ));
            world.time().run(TOO_OLD);
        }
        Attempt nextWriter = acquire(three, EXCLUSIVE);
        world.time().run(TOO_OLD);
        readers.get(0).giveUp();
        readers.set(0, acquire(one, PROTECTED_READ));
        world.time().run(A_WHILE);
        assertThat(one.log().slots()).as("slots of the process").isOne();
        writer.release();
        List<Grant> granted = readers.stream().map(this::grantOf).toList();
        world.time().run(TOO_OLD);
        Attempt late = acquire(one, PROTECTED_READ);
        world.time().run(A_WHILE);
        assertThat(isGranted(late)).as("a reader that comes long after that").isFalse();
        granted.forEach(Grant::release);
        grantOf(nextWriter).release();
        grantOf(late).release();
    }

    /** One writer of a process must not give each of its readers a row. */
    @Test
    void readersBehindAWriterOfTheirProcessWaitWithOneSlot() {
        Grant held = granted(two, EXCLUSIVE);
        List<Attempt> writers = new ArrayList<>();
        List<Attempt> readers = new ArrayList<>();
        for (int writer = 0; writer < 2; writer++) {
            writers.add(acquire(one, EXCLUSIVE));
            for (int reader = 0; reader < 10; reader++) {
                world.time().run(A_WHILE);
                readers.add(acquire(one, PROTECTED_READ));
            }
        }
        world.time().run(A_WHILE);
        assertThat(one.log().slots()).as("slots of the process").isEqualTo(2);
        held.release();
        Grant first = grantOf(writers.get(0));
        assertThat(readers).noneMatch(SharedLockSimulationTest::isGranted);
        first.release();
        List<Grant> between = readers.subList(0, 10).stream().map(this::grantOf).toList();
        assertThat(readers.subList(10, 20)).noneMatch(SharedLockSimulationTest::isGranted);
        between.forEach(Grant::release);
        grantOf(writers.get(1)).release();
        readers.subList(10, 20).forEach(this::grantOf);
    }

    @Test
    void readerIsRefusedAtOnceWhileAWriterOfItsProcessWaits() {
        granted(one, PROTECTED_READ);
        acquire(one, EXCLUSIVE);
        assertThat(world.tryAcquire(one, PROTECTED_READ).getOutcome().toCompletableFuture())
                .isCompletedWithValue(Optional.empty());
    }

    @Test
    void readerPrefersASlotThatIsHeldToOneThatWaits() {
        Grant writer = granted(two, CONCURRENT_WRITE);
        acquire(one, CONCURRENT_READ);
        Attempt waiting = acquire(one, PROTECTED_READ);
        world.time().run(Duration.ofMillis(5));
        writer.release();
        grantOf(waiting);
        long before = world.slots().operations();
        granted(one, PROTECTED_READ);
        assertThat(world.slots().operations() - before).isZero();
    }

    @Test
    void requestBehindAThreadThatTheLockIsHandedToDrawsItsTicketAtOnce() {
        Grant holder = granted(one, EXCLUSIVE);
        Attempt next = acquire(one, EXCLUSIVE);
        Attempt reader = acquire(one, PROTECTED_READ);
        holder.release();
        Grant handedOver = grantOf(next);
        world.time().run(Duration.ofMillis(20));
        Attempt elsewhere = acquire(two, EXCLUSIVE);
        world.time().run(A_WHILE);
        handedOver.release();
        grantOf(reader);
        assertThat(isGranted(elsewhere)).as("a writer that came later").isFalse();
    }

    /** A poll of a waiter that knows nothing takes twenty milliseconds and more. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writerIsGrantedAsSoonAsTheReadersOfItsProcessHaveLeft(boolean laterReaderWaits) {
        Grant reader = granted(one, PROTECTED_READ);
        Attempt writer = acquire(one, EXCLUSIVE);
        if (laterReaderWaits) {
            acquire(one, PROTECTED_READ);
        }
        world.time().run(A_WHILE);
        reader.release();
        world.time().run(Duration.ZERO);
        assertThat(isGranted(writer)).as("in the same instant, without a read").isTrue();
    }

    @Test
    void writerIsToldByEachOfTheReadersThatHoldTheLockTogether() {
        TicketWorld telling = TicketWorld.quietWithNotices(1, 9);
        List<Attempt> readers = telling.members().subList(0, 8).stream()
                .map(member -> telling.acquire(member, PROTECTED_READ))
                .toList();
        telling.time().run(A_WHILE);
        Attempt writer = telling.acquire(telling.members().get(8), EXCLUSIVE);
        telling.time().run(Duration.ofSeconds(2));
        long before = telling.slots().operations();
        readers.forEach(reader ->
                reader.getOutcome().toCompletableFuture().join().orElseThrow().release());
        telling.time().runUntil(writer.getOutcome().toCompletableFuture()::isDone, Duration.ofMillis(5));
        assertThat(isGranted(writer)).as("granted by eight notices").isTrue();
        assertThat(telling.slots().operations() - before)
                .as("operations: the releases, and no read")
                .isLessThanOrEqualTo(8);
    }
}
