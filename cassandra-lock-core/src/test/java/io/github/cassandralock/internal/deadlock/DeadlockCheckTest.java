package io.github.cassandralock.internal.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.github.cassandralock.LockDeadlockException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.counter.Counted;
import io.github.cassandralock.internal.counter.ProtocolCounters;
import io.github.cassandralock.internal.session.OwnSession;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.session.SessionKeeper;
import io.github.cassandralock.internal.session.SessionSettings;
import io.github.cassandralock.internal.simulation.InstantStore;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.HeldLock;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitRow;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.store.WaitingCall;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * One call that is checked, and others of which the test writes the rows. Costs nothing. Catches rules whose faults the simulation sees too
 * rarely (lock modes, section 7).
 */
class DeadlockCheckTest {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final DeadlockSettings SETTINGS = new DeadlockSettings(Duration.ofSeconds(2), INTERVAL);
    private static final UUID OTHER = new UUID(7, 7);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final Partition partition = new Partition(time);
    private final Table table = new Table();
    private final ProtocolCounters counters = new ProtocolCounters();
    private final OwnSession session = new SessionKeeper(
                    new SessionContext(
                            partition,
                            new SessionSettings(Duration.ofSeconds(15), 0.05),
                            process,
                            process,
                            () -> new UUID(1, 1),
                            "this process"),
                    (lost, reason) -> {})
            .current()
            .toCompletableFuture()
            .join();
    private final DeadlockDetector detector =
            new DeadlockDetector(table, partition, SETTINGS, process, process, counters);
    private final Call call = new Call();

    /** The slots of both locks: those of the two sessions, and what a test adds. */
    private static final class Partition extends InstantStore {

        private final List<Slot> more = new ArrayList<>();
        private @Nullable UUID own;

        Partition(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<LockSlots> read(String lockId) {
            List<Slot> slots = new ArrayList<>(more);
            slots.add(ticketed(OTHER, 1, LockMode.EXCLUSIVE));
            if (own != null) {
                slots.add(ticketed(own, 9, LockMode.EXCLUSIVE));
            }
            return CompletableFuture.completedFuture(new LockSlots(slots, OptionalLong.empty()));
        }
    }

    private static Slot ticketed(UUID session, long ticket, LockMode mode) {
        return new Slot(new SlotId(session, 0), 1, SlotPhase.TICKETED, mode, ticket);
    }

    private static final class Table implements WaitStore {

        private final Map<WaitId, WaitRow> rows = new TreeMap<>();
        private int requests;
        private boolean failing;

        @Override
        public CompletionStage<WriteOutcome> write(WaitRow row, long timestamp, Duration ttl) {
            requests++;
            if (failing) {
                return unknown();
            }
            rows.put(row.id(), row);
            return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
        }

        private static CompletionStage<WriteOutcome> unknown() {
            return CompletableFuture.completedFuture(
                    new WriteOutcome.Unknown(new IllegalStateException("the table is missing")));
        }

        @Override
        public CompletionStage<WriteOutcome> remove(WaitId id, long timestamp) {
            requests++;
            if (failing) {
                return unknown();
            }
            rows.remove(id);
            return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
        }

        @Override
        public CompletionStage<List<WaitRow>> read(UUID session) {
            requests++;
            return CompletableFuture.completedFuture(rows.values().stream()
                    .filter(row -> row.id().session().equals(session))
                    .toList());
        }
    }

    /** Waits for lock "b", and its owner holds "a". */
    private final class Call implements CheckedCall {

        private final long beganAt = process.nanos();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private WaitingCall present = waiting("own", "b", 9, List.of(new HeldLock(1, "a", LockMode.EXCLUSIVE)));
        private @Nullable LockDeadlockException deadlock;

        @Override
        public long beganAt() {
            return beganAt;
        }

        @Override
        public CompletionStage<?> ended() {
            return ended;
        }

        @Override
        public boolean isOfHolder() {
            return !present.held().isEmpty();
        }

        @Override
        public CompletionStage<Optional<Standing>> standing() {
            return CompletableFuture.completedFuture(Optional.of(new Standing(session, present)));
        }

        @Override
        public CompletionStage<Boolean> fail(Standing known, LockDeadlockException exception) {
            boolean same = known.call().equals(present) && !ended.isDone();
            if (same) {
                deadlock = exception;
                ended.complete(null);
            }
            return CompletableFuture.completedFuture(same);
        }
    }

    private static WaitingCall waiting(String owner, String lock, long ticket, List<HeldLock> held) {
        return new WaitingCall(
                owner,
                "a process",
                lock,
                LockMode.EXCLUSIVE,
                LockMode.EXCLUSIVE,
                0,
                1,
                ticket,
                0,
                List.of(),
                WaitingCall.NONE,
                LockMode.NULL,
                held);
    }

    private void begin() {
        partition.own = session.id();
        detector.check(call);
        time.run(SETTINGS.checkAfter().plus(INTERVAL));
    }

    private WaitRow ownRow() {
        return table.rows.values().stream()
                .filter(row -> row.id().session().equals(session.id()))
                .findFirst()
                .orElseThrow();
    }

    /** An id of the other process that comes before that of the call, or after it. */
    private WaitId idOfOther(boolean before, long from) {
        return LongStream.iterate(from, number -> number + 1)
                .mapToObj(number -> new WaitId(OTHER, number))
                .filter(id -> id.compareTo(ownRow().id()) < 0 == before)
                .findFirst()
                .orElseThrow();
    }

    /** Waits for "a", and its owner holds "b". */
    private void write(WaitId id, long seq, long changed) {
        table.rows.put(
                id,
                new WaitRow(
                        id,
                        seq,
                        changed,
                        INTERVAL,
                        waiting("other", "a", 9, List.of(new HeldLock(1, "b", LockMode.EXCLUSIVE)))));
    }

    private boolean isEnded() {
        return call.deadlock != null;
    }

    @Test
    void nothingIsSentBeforeTheCallHasWaitedForLongAndItsRowIsRemovedWhenItHasEnded() {
        partition.own = session.id();
        detector.check(call);
        time.run(SETTINGS.checkAfter().minusMillis(1));
        assertThat(table.requests).isZero();
        time.run(INTERVAL);
        assertThat(table.rows).hasSize(1);
        table.failing = true;
        call.ended.complete(null);
        time.run(INTERVAL.multipliedBy(3));
        table.failing = false;
        time.run(INTERVAL.multipliedBy(2));
        assertThat(table.rows).isEmpty();
        int requests = table.requests;
        time.run(LONG);
        assertThat(table.requests).isEqualTo(requests);
    }

    @Test
    void callWhoseOwnerHoldsNothingIsNotPublished() {
        call.present = waiting("own", "b", 9, List.of());
        begin();
        time.run(LONG);
        assertThat(table.requests).isZero();
    }

    @Test
    void circleIsBelievedWhenEachOfItHasBeenWrittenTwiceSinceTheSecondReading() {
        begin();
        WaitId other = idOfOther(true, 1);
        long seq = 5;
        write(other, seq, 1);
        time.run(INTERVAL.multipliedBy(2));
        assertThat(isEnded()).as("ended before it was written again").isFalse();
        write(other, ++seq, 1);
        time.run(INTERVAL);
        assertThat(isEnded()).as("ended when it was written once").isFalse();
        write(other, ++seq, 1);
        time.run(INTERVAL);
        assertThat(isEnded()).as("ended when it was written twice").isTrue();
        assertThat(Objects.requireNonNull(call.deadlock).getCircle())
                .extracting(LockDeadlockException.Wait::owner, LockDeadlockException.Wait::lockId)
                .containsExactly(tuple("own", "b"), tuple("other", "a"));
        assertThat(counters.sum(Counted.DEADLOCK_VICTIM)).isOne();
    }

    @Test
    void circleInWhichOneWaitsInAnotherWayAgainAndAgainIsNotBelieved() {
        begin();
        WaitId other = idOfOther(true, 1);
        for (int seq = 1; seq < 30; seq++) {
            write(other, seq, seq);
            time.run(INTERVAL);
        }
        assertThat(isEnded()).isFalse();
    }

    @Test
    void circleInWhichTheCallItselfWaitsInAnotherWayIsReadAnew() {
        begin();
        WaitId other = idOfOther(true, 1);
        for (int seq = 1; seq < 30; seq++) {
            write(other, seq, 1);
            call.present = waiting("own", "b", 9 + seq, List.of(new HeldLock(1, "a", LockMode.EXCLUSIVE)));
            time.run(INTERVAL);
        }
        assertThat(isEnded()).isFalse();
    }

    @Test
    void onlyTheLastCallOfACircleActs() {
        begin();
        WaitId other = idOfOther(false, 1);
        for (int seq = 1; seq < 30; seq++) {
            write(other, seq, 1);
            time.run(INTERVAL);
        }
        assertThat(isEnded()).isFalse();
    }

    @Test
    void rowThatIsNotWrittenAnyMoreDoesNotHideACircle() {
        begin();
        WaitId one = idOfOther(true, 1);
        WaitId another = idOfOther(true, one.number() + 1);
        WaitId gone = one.compareTo(another) < 0 ? one : another;
        WaitId alive = gone.equals(one) ? another : one;
        write(gone, 1, 1);
        for (int seq = 1; seq < 12; seq++) {
            write(alive, seq, 1);
            time.run(INTERVAL);
        }
        assertThat(isEnded()).isTrue();
    }

    @Test
    void callGoesOnWaitingIfTheTableCannotBeUsedAndIsCheckedAgainWhenItCan() {
        table.failing = true;
        begin();
        time.run(LONG);
        assertThat(isEnded()).isFalse();
        assertThat(table.rows).isEmpty();
        table.failing = false;
        time.run(INTERVAL.multipliedBy(2));
        assertThat(ownRow().seq())
                .as("a value that was not acknowledged is sent again")
                .isLessThanOrEqualTo(3);
    }
}
