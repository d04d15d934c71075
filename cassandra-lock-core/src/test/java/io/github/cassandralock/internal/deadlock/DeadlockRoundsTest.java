package io.github.cassandralock.internal.deadlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
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
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.store.PublishedHold;
import io.github.cassandralock.internal.store.PublishedWait;
import io.github.cassandralock.internal.store.PublishedWaits;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotId;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WaitId;
import io.github.cassandralock.internal.store.WaitStore;
import io.github.cassandralock.internal.store.WaitingCall;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Calls of one process that are checked, and others of which the test writes the rows. Costs nothing. Catches rules whose faults the
 * simulation sees too rarely (lock modes, section 7).
 */
class DeadlockRoundsTest {

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration CHECK_AFTER = Duration.ofSeconds(2);
    private static final UUID OTHER = new UUID(7, 7);
    private static final UUID ANOTHER = new UUID(7, 8);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final Partition partition = new Partition(time);
    private final Table table = new Table();
    private final ProtocolCounters counters = new ProtocolCounters();
    private final SessionContext sessions = new SessionContext(
            partition,
            new SessionSettings(Duration.ofSeconds(15), 0.05),
            process,
            process,
            () -> new UUID(1, 1),
            "this process",
            id -> Optional.empty(),
            counters);
    private final OwnSession session = new SessionKeeper(sessions, (lost, reason) -> {})
            .current()
            .toCompletableFuture()
            .join();
    private final Queue queue = new Queue();
    private final Call call = new Call(waiting("own", "b", "a"));

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.cassandralock.internal.deadlock");
    private final @Nullable Level usualLevel = log.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.WARN);
    }

    @AfterEach
    void listenNoMore() {
        log.detachAppender(lines);
        log.setLevel(usualLevel);
    }

    private void assertWarnedOnceOf(String text) {
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains(text))
                .hasSize(1);
    }

    /** The slots of each lock: those of the two sessions, and what a test adds. */
    private final class Partition extends InstantStore {

        private final List<Slot> more = new ArrayList<>();
        private final Map<String, Integer> reads = new TreeMap<>();
        private final Map<UUID, Long> beats = new HashMap<>();

        Partition(SimulatedTime time) {
            super(time);
        }

        @Override
        public CompletionStage<Optional<SessionRow>> read(UUID id) {
            return CompletableFuture.completedFuture(Optional.ofNullable(beats.get(id))
                    .map(beat ->
                            SessionRow.alive(new Beat(beat, id), Duration.ofSeconds(15), 0.05, "another process")));
        }

        @Override
        public CompletionStage<LockSlots> read(String lockId) {
            reads.merge(lockId, 1, Integer::sum);
            List<Slot> slots = new ArrayList<>(more);
            slots.add(slotOf(OTHER, SlotPhase.TICKETED, 1));
            slots.add(slotOf(session.id(), SlotPhase.TICKETED, 9));
            return CompletableFuture.completedFuture(new LockSlots(slots, OptionalLong.empty()));
        }
    }

    private static Slot slotOf(UUID session, SlotPhase phase, long ticket) {
        return new Slot(new SlotId(session, 0), 1, phase, LockMode.EXCLUSIVE, ticket);
    }

    private static final class Table implements WaitStore {

        private final Map<UUID, PublishedWaits> rows = new TreeMap<>();
        private final Map<UUID, Integer> reads = new TreeMap<>();
        private int writes;
        private boolean failing;

        @Override
        public CompletionStage<WriteOutcome> write(PublishedWaits row, long timestamp, Duration ttl) {
            writes++;
            if (failing) {
                return unknown();
            }
            rows.put(row.session(), row);
            return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
        }

        private static CompletionStage<WriteOutcome> unknown() {
            return CompletableFuture.completedFuture(
                    new WriteOutcome.Unknown(new IllegalStateException("the table is missing")));
        }

        @Override
        public CompletionStage<WriteOutcome> remove(UUID session, long timestamp) {
            writes++;
            if (failing) {
                return unknown();
            }
            rows.remove(session);
            return CompletableFuture.completedFuture(WriteOutcome.APPLIED);
        }

        @Override
        public CompletionStage<Optional<PublishedWaits>> read(UUID session) {
            reads.merge(session, 1, Integer::sum);
            return CompletableFuture.completedFuture(Optional.ofNullable(rows.get(session)));
        }
    }

    /** All calls of the process. */
    private final class Queue implements CheckedQueue {

        private final List<Call> calls = new ArrayList<>();
        private int asked;

        @Override
        public CompletionStage<Map<Object, CheckedCall.Standing>> standings() {
            asked++;
            Map<Object, CheckedCall.Standing> standings = new HashMap<>();
            calls.stream()
                    .filter(waiting -> !waiting.ended.isDone())
                    .forEach(waiting -> standings.put(waiting, new CheckedCall.Standing(session, waiting.present)));
            return CompletableFuture.completedFuture(standings);
        }
    }

    private final class Call implements CheckedCall {

        private final long beganAt = process.nanos();
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private WaitingCall present;
        private @Nullable LockDeadlockException deadlock;

        Call(WaitingCall present) {
            this.present = present;
            queue.calls.add(this);
        }

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
        public CheckedQueue queue() {
            return queue;
        }

        @Override
        public Object request() {
            return this;
        }

        @Override
        public CompletionStage<Boolean> fail(CheckedCall.Standing known, LockDeadlockException exception) {
            boolean same = known.call().equals(present) && !ended.isDone();
            if (same) {
                deadlock = exception;
                ended.complete(null);
            }
            return CompletableFuture.completedFuture(same);
        }

        boolean isVictim() {
            return deadlock != null;
        }
    }

    /** @param held the locks that the owner holds */
    private static WaitingCall waiting(String owner, String lock, String... held) {
        return waiting(owner, lock, 9, held);
    }

    private static WaitingCall waiting(String owner, String lock, long ticket, String... held) {
        return new WaitingCall(
                owner,
                "a process",
                lock,
                LockMode.EXCLUSIVE,
                LockMode.EXCLUSIVE,
                1,
                0,
                1,
                ticket,
                WaitingCall.NONE,
                LockMode.NULL,
                IntStream.range(0, held.length)
                        .mapToObj(number -> new PublishedHold(number, held[number], LockMode.EXCLUSIVE))
                        .toList());
    }

    /** In mode PROTECTED_READ. */
    private static WaitingCall reading(String owner, String lock, String held) {
        return new WaitingCall(
                owner,
                "a process",
                lock,
                LockMode.PROTECTED_READ,
                LockMode.PROTECTED_READ,
                1,
                0,
                1,
                9,
                WaitingCall.NONE,
                LockMode.NULL,
                List.of(new PublishedHold(0, held, LockMode.EXCLUSIVE)));
    }

    private DeadlockDetector begin() {
        return begin(DeadlockBounds.USUAL);
    }

    /** Ends shortly after the first round. */
    private DeadlockDetector begin(DeadlockBounds bounds) {
        DeadlockDetector detector =
                new DeadlockDetector(table, partition, sessions, new DeadlockSettings(CHECK_AFTER, INTERVAL, bounds));
        queue.calls.forEach(detector::check);
        time.run(CHECK_AFTER.plusMillis(1));
        return detector;
    }

    private PublishedWaits ownRow() {
        return Objects.requireNonNull(table.rows.get(session.id()));
    }

    /** An id of another process that comes before that of the call, or after it. */
    private WaitId idOf(UUID other, boolean before) {
        return LongStream.iterate(1, number -> number + 1)
                .mapToObj(number -> new WaitId(other, number))
                .filter(id -> id.compareTo(ownRow().waits().get(0).id()) < 0 == before)
                .findFirst()
                .orElseThrow();
    }

    /** Waits for "a", and its owner holds "b". */
    private void write(WaitId id, long seq, long changed) {
        table.rows.put(
                id.session(),
                new PublishedWaits(
                        id.session(),
                        seq,
                        INTERVAL,
                        List.of(new PublishedWait(id, changed, waiting("other", "a", "b")))));
    }

    /** Waits for "a", and its owner holds "b" for reading. */
    private void writeReader(WaitId id, long seq) {
        WaitingCall call =
                waiting("other", "a").shortened("other", List.of(new PublishedHold(0, "b", LockMode.PROTECTED_READ)));
        table.rows.put(
                id.session(), new PublishedWaits(id.session(), seq, INTERVAL, List.of(new PublishedWait(id, 1, call))));
    }

    @Test
    void callIsAnnouncedOnceItHasWaitedForLongAndItsRowIsRemovedAtItsEnd() {
        begin();
        assertThat(ownRow().waits()).hasSize(1);
        table.failing = true;
        call.ended.complete(null);
        time.run(INTERVAL.multipliedBy(3));
        table.failing = false;
        time.run(INTERVAL.multipliedBy(2));
        assertThat(table.rows).isEmpty();
        int writes = table.writes;
        time.run(LONG);
        assertThat(table.writes).isEqualTo(writes);
    }

    /** The session to Cassandra ends with the application. */
    @Test
    void nothingIsSentAndNoWarningIsLoggedAfterTheEnd() {
        DeadlockDetector detector = begin();
        int writes = table.writes;
        table.failing = true;
        detector.close();
        call.ended.complete(null);
        time.run(LONG);
        assertThat(table.writes).isEqualTo(writes);
        assertThat(lines.list).isEmpty();
    }

    @Test
    void callWhoseOwnerHoldsNothingIsNotPublished() {
        call.present = waiting("own", "b");
        begin();
        time.run(LONG);
        assertThat(table.writes).isZero();
        assertThat(partition.reads).isEmpty();
    }

    /** Of whom each waits for one lock, and holds one of its own. */
    @Test
    void aThousandCallsCostOneWriteAndOneReadOfEachPartitionInAnInterval() {
        for (int number = 0; number < 1_000; number++) {
            new Call(waiting("owner " + number, "b", "own " + number));
        }
        begin();
        int writes = table.writes;
        partition.reads.clear();
        table.reads.clear();
        queue.asked = 0;
        time.run(INTERVAL.multipliedBy(10));
        assertThat(table.writes - writes).isEqualTo(10);
        assertThat(partition.reads).containsExactly(Map.entry("b", 10));
        assertThat(table.reads).containsExactly(Map.entry(OTHER, 10));
        assertThat(queue.asked).isEqualTo(10);
        assertThat(ownRow().waits()).hasSize(1_001);
    }

    @Test
    void cycleIsBelievedWhenEachOfItHasBeenWrittenTwiceSinceTheSecondReading() {
        begin();
        WaitId other = idOf(OTHER, true);
        long seq = 5;
        write(other, seq, 1);
        time.run(INTERVAL.multipliedBy(2));
        assertThat(call.isVictim()).as("ended before it was written again").isFalse();
        write(other, ++seq, 1);
        time.run(INTERVAL);
        assertThat(call.isVictim()).as("ended when it was written once").isFalse();
        write(other, ++seq, 1);
        time.run(INTERVAL);
        assertThat(call.isVictim()).as("ended when it was written twice").isTrue();
        assertThat(Objects.requireNonNull(call.deadlock).getCycle())
                .extracting(LockDeadlockException.Wait::owner, LockDeadlockException.Wait::lockId)
                .containsExactly(tuple("own", "b"), tuple("other", "a"));
        assertThat(counters.sum(Counted.DEADLOCK_VICTIM)).isOne();
    }

    /** A dead process does not renew its session. Its request is in the way until it is evicted, and no longer. */
    @Test
    void requestIsPassedThroughWhenItsSessionHasBeenRenewedTwice() {
        call.present = reading("own", "b", "a");
        partition.more.add(slotOf(ANOTHER, SlotPhase.TICKETED, 5));
        partition.beats.put(ANOTHER, 7L);
        begin();
        WaitId other = idOf(OTHER, true);
        long seq = 0;
        while (seq < 10) {
            writeReader(other, ++seq);
            time.run(INTERVAL);
        }
        assertThat(call.isVictim())
                .as("ended because of a request of a dead process")
                .isFalse();
        for (long beat = 8; beat <= 9; beat++) {
            assertThat(call.isVictim()).as("ended before beat " + beat).isFalse();
            partition.beats.put(ANOTHER, beat);
            writeReader(other, ++seq);
            time.run(INTERVAL);
        }
        assertThat(call.isVictim()).as("ended when it was renewed twice").isTrue();
    }

    @Test
    void eachReadingIsInAnIntervalOfItsOwn() {
        begin();
        WaitId other = idOf(OTHER, true);
        int rounds = 0;
        while (!call.isVictim()) {
            write(other, ++rounds, 1);
            time.run(INTERVAL);
        }
        assertThat(rounds)
                .as("one reading, a second, and a third when all have risen by two")
                .isEqualTo(4);
    }

    @Test
    void cycleInThisProcessIsFoundWithoutOthersAndEndsOneCall() {
        Call second = new Call(waiting("second", "a", "b"));
        begin();
        time.run(INTERVAL.multipliedBy(4));
        assertThat(call.isVictim()).isNotEqualTo(second.isVictim());
        assertThat(Objects.requireNonNull(call.isVictim() ? call.deadlock : second.deadlock)
                        .getCycle())
                .hasSize(2);
    }

    /** They wait for the lock behind which the cycle is, and are none of it. */
    @Test
    void callsThatOnlyWaitBehindACycleAreNotEnded() {
        new Call(waiting("second", "a", "b"));
        for (int number = 0; number < 100; number++) {
            new Call(waiting("bystander " + number, "a", "own " + number));
        }
        begin();
        time.run(LONG);
        assertThat(queue.calls.stream().filter(Call::isVictim)).hasSize(1);
        assertThat(queue.calls.subList(2, queue.calls.size())).noneMatch(Call::isVictim);
    }

    @Test
    void cycleInWhichOneWaitsInAnotherWayAgainAndAgainIsNotBelieved() {
        begin();
        WaitId other = idOf(OTHER, true);
        for (int seq = 1; seq < 30; seq++) {
            write(other, seq, seq);
            time.run(INTERVAL);
        }
        assertThat(call.isVictim()).isFalse();
    }

    @Test
    void cycleInWhichTheCallItselfWaitsInAnotherWayIsReadAnew() {
        begin();
        WaitId other = idOf(OTHER, true);
        for (int seq = 1; seq < 30; seq++) {
            write(other, seq, 1);
            call.present = waiting("own", "b", 9 + seq, "a");
            time.run(INTERVAL);
        }
        assertThat(call.isVictim()).isFalse();
    }

    private WaitingCall withPermits(WaitingCall call) {
        return new WaitingCall(
                call.owner(),
                call.process(),
                call.lockId(),
                call.mode(),
                call.waitsAs(),
                2,
                call.slot(),
                call.attempt(),
                call.ticket(),
                call.converts(),
                call.convertsFrom(),
                call.held());
    }

    /** Both permits of "b" are held. Each holder waits for "a", and one of them for as long as the readings take. */
    private void writeHoldersOfPermits(long seq, long changedOfOne) {
        List.of(OTHER, ANOTHER).forEach(session -> {
            WaitId id = idOf(session, true);
            WaitingCall call =
                    waiting("other", "a").shortened("other", List.of(new PublishedHold(0, "b", LockMode.EXCLUSIVE, 2)));
            long changed = session.equals(ANOTHER) ? changedOfOne : 1;
            table.rows.put(
                    session, new PublishedWaits(session, seq, INTERVAL, List.of(new PublishedWait(id, changed, call))));
        });
        time.run(INTERVAL);
    }

    @Test
    void requestForAPermitIsEndedIfBothHoldersHaveWaitedAllTheTime() {
        partition.more.add(slotOf(ANOTHER, SlotPhase.CHOOSING, 0));
        call.present = withPermits(waiting("own", "b", 0, "a"));
        begin();
        for (int seq = 1; seq < 5; seq++) {
            assertThat(call.isVictim()).isFalse();
            writeHoldersOfPermits(seq, 1);
        }
        assertThat(call.isVictim()).isTrue();
    }

    @Test
    void requestForAPermitIsNotEndedIfOneHolderWaitsInAnotherWayAgainAndAgain() {
        partition.more.add(slotOf(ANOTHER, SlotPhase.CHOOSING, 0));
        call.present = withPermits(waiting("own", "b", 0, "a"));
        begin();
        for (int seq = 1; seq < 30; seq++) {
            writeHoldersOfPermits(seq, seq);
        }
        assertThat(call.isVictim()).isFalse();
    }

    @Test
    void onlyTheLastCallOfACycleActs() {
        begin();
        WaitId other = idOf(OTHER, false);
        for (int seq = 1; seq < 30; seq++) {
            write(other, seq, 1);
            time.run(INTERVAL);
        }
        assertThat(call.isVictim()).isFalse();
    }

    @Test
    void rowThatIsNotWrittenAnyMoreIsNotBelievedAndDoesNotHideACycle() {
        partition.more.add(slotOf(ANOTHER, SlotPhase.CHOOSING, 0));
        begin();
        write(idOf(OTHER, true), 1, 1);
        time.run(LONG);
        assertThat(call.isVictim()).isFalse();
        WaitId alive = idOf(ANOTHER, true);
        for (int seq = 1; seq < 12; seq++) {
            write(alive, seq, 1);
            time.run(INTERVAL);
        }
        assertThat(call.isVictim()).isTrue();
    }

    @Test
    void callGoesOnWaitingIfTheTableCannotBeUsedAndIsCheckedAgainWhenItCan() {
        table.failing = true;
        begin();
        time.run(LONG);
        assertThat(call.isVictim()).isFalse();
        assertThat(table.rows).isEmpty();
        table.failing = false;
        time.run(INTERVAL.multipliedBy(2));
        assertThat(ownRow().seq())
                .as("a value that was not acknowledged is sent again")
                .isLessThanOrEqualTo(3);
    }

    @Test
    void whatDoesNotFitIsLeftOutWithAWarningAndWhatOthersWaitForComesFirst() {
        for (int number = 0; number < 100; number++) {
            new Call(waiting("owner " + number, "b", "own " + number));
        }
        new Call(waiting("youngest", "b", "wanted"));
        begin(new DeadlockBounds(1_000, 32, 512));
        int fit = ownRow().waits().size();
        assertThat(fit).isBetween(5, 20);
        assertWarnedOnceOf("Of 102 calls of this process, " + (102 - fit) + " are left out");
        WaitId other = new WaitId(OTHER, 1);
        table.rows.put(
                OTHER,
                new PublishedWaits(
                        OTHER, 1, INTERVAL, List.of(new PublishedWait(other, 1, waiting("other", "wanted", "b")))));
        time.run(INTERVAL.multipliedBy(2));
        assertThat(ownRow().waits().get(0).call().owner()).isEqualTo("youngest");
        assertThat(ownRow().waits()).hasSizeLessThanOrEqualTo(fit);
    }

    @Test
    void ofAnOwnerWithManyLocksThoseAreToldThatOthersWaitFor() {
        String[] held = IntStream.range(0, 500).mapToObj(lock -> "held " + lock).toArray(String[]::new);
        call.present = waiting("own", "b", held);
        new Call(waiting("second", "held 400", "c"));
        begin();
        time.run(INTERVAL);
        List<PublishedHold> told = ownRow().waits().stream()
                .filter(wait -> wait.call().owner().equals("own"))
                .findFirst()
                .orElseThrow()
                .call()
                .held();
        assertThat(told).hasSize(DeadlockBounds.USUAL.locksOfOneOwner());
        assertThat(told).extracting(PublishedHold::lockId).contains("held 400");
    }

    /** Of a hundred locks ten may be read in a round. */
    @Test
    void moreLocksThanMayBeReadAreReadInTurnWithAWarning() {
        for (int number = 0; number < 99; number++) {
            new Call(waiting("owner " + number, "lock " + number, "own " + number));
        }
        begin(new DeadlockBounds(1 << 20, 32, 20));
        int rounds = 10;
        time.run(INTERVAL.multipliedBy(rounds - 1));
        assertThat(partition.reads).hasSize(100);
        assertThat(partition.reads.values().stream().mapToInt(Integer::intValue).sum()
                        + table.reads.values().stream()
                                .mapToInt(Integer::intValue)
                                .sum())
                .isLessThanOrEqualTo(20 * rounds);
        assertWarnedOnceOf("may read at most 20 locks and processes in an interval, and would need more");
    }
}
