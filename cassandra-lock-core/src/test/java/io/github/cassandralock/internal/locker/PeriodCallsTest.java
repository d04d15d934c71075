package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.observe.LockerWarnings;
import io.github.cassandralock.internal.period.StoredPeriod;
import io.github.cassandralock.internal.time.ScheduledTimers;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** How calls with a period end, whatever the store does. Costs half a second. Catches a record that is lost without an exception. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class PeriodCallsTest {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final LocalDate FIRST = LocalDate.of(2026, 9, 30);
    private static final LocalDate SECOND = LocalDate.of(2026, 10, 1);

    private final ScheduledTimers timers = new ScheduledTimers();
    private final PeriodGrant grant = new PeriodGrant();
    private final AlgorithmLocker locker = new AlgorithmLocker(
            new GrantingAlgorithm(grant, mode -> true), Duration.ofMillis(300), Ticker.system(), timers, List.of());
    private final List<String> events = new ArrayList<>();

    @AfterEach
    void close() {
        locker.close();
        timers.close();
    }

    /** Stores at once, unless a test says otherwise. */
    private static final class PeriodGrant extends PlainGrant {

        private byte[] stored = new byte[0];
        private int stores;
        private boolean keepsValues = true;
        private CompletableFuture<Void> acknowledgement = CompletableFuture.completedFuture(null);

        @Override
        public CompletionStage<LockValue> readStoredValue() {
            return keepsValues
                    ? CompletableFuture.completedFuture(LockValue.of(stored, false))
                    : super.readStoredValue();
        }

        /** It is granted again and again. */
        @Override
        public CompletionStage<Void> release() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Void> storeValue(byte[] bytes) {
            return acknowledgement.thenRun(() -> {
                StoredPeriod.requireOrder("k", stored, bytes);
                stored = bytes;
                stores++;
            });
        }

        /** The record of an earlier holder that was on one replica alone. */
        void showLateRecord(LocalDate period) {
            stored = StoredPeriod.of(period).bytes();
        }
    }

    private boolean execute(LocalDate period) {
        return locker.executeOnceFor("k", period, () -> events.add("ran " + period));
    }

    @Test
    void eachPeriodRunsOnceInTheirOrder() {
        assertThat(execute(SECOND)).isTrue();
        assertThat(execute(SECOND)).isFalse();
        assertThat(execute(FIRST)).as("a clock that is behind").isFalse();
        assertThat(execute(SECOND.plusDays(1))).isTrue();
        assertThat(events).containsExactly("ran 2026-10-01", "ran 2026-10-02");
        assertThat(StoredPeriod.read("k", grant.stored)).contains(StoredPeriod.of(SECOND.plusDays(1)));
    }

    @Test
    void workThatFailsRecordsNothing() {
        assertThatThrownBy(() -> locker.executeOnceFor("k", FIRST, () -> {
                    throw new IllegalArgumentException("disk full");
                }))
                .hasMessage("disk full");
        assertThat(grant.stored).isEmpty();
    }

    @Test
    void recordWithoutAnAnswerIsAnExceptionOfTheCall() {
        grant.acknowledgement = new CompletableFuture<>();
        assertThatThrownBy(() -> execute(FIRST))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("2026-09-30", "'k'", "may not be recorded", "may run again");
        assertThat(events).containsExactly("ran 2026-09-30");
    }

    @Test
    void recordThatTheStoreRefusesIsAnExceptionOfTheCall() {
        grant.acknowledgement = CompletableFuture.failedFuture(new IllegalStateException("no such column"));
        assertThatThrownBy(() -> execute(FIRST))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContainingAll("may not be recorded", "no such column");
    }

    @Test
    void lossBeforeTheRecordIsAnExceptionOfTheCallAndNothingIsSent() {
        assertThatThrownBy(() -> locker.executeOnceFor(
                        "k", FIRST, () -> grant.abandon(new LockLoss(Reason.LEASE_EXPIRED, "it ran out"))))
                .isInstanceOf(LockLostException.class);
        assertThat(grant.stored).isEmpty();
    }

    @Test
    void lossWhileTheRecordIsSentIsAnExceptionOfTheCall() {
        grant.acknowledgement = new CompletableFuture<>();
        RemoteLock lock = locker.getLock("k");
        CompletableFuture<Void> record = lock.completePeriodAsync(FIRST);
        grant.abandon(new LockLoss(Reason.LEASE_EXPIRED, "it ran out"));
        grant.acknowledgement.complete(null);
        assertThat(record).failsWithin(BOUND).withThrowableThat().withCauseInstanceOf(LockLostException.class);
    }

    @Test
    void interruptOfTheWorkDoesNotKeepItsPeriodFromBeingRecorded() {
        assertThat(locker.executeOnceFor(
                        "k", FIRST, () -> Thread.currentThread().interrupt()))
                .isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(grant.stored).isNotEmpty();
    }

    @Test
    void recordOfUnknownOutcomeMayBeRepeated() {
        grant.acknowledgement = new CompletableFuture<>();
        RemoteLock lock = locker.getLock("k");
        assertThatThrownBy(() -> lock.completePeriod(FIRST)).isInstanceOf(LockStoreException.class);
        grant.showLateRecord(FIRST);
        grant.acknowledgement = CompletableFuture.completedFuture(null);
        lock.completePeriod(FIRST);
        assertThat(grant.stores).isEqualTo(1);
        assertThat(lock.isHeld()).isTrue();
    }

    @Test
    void recordOfAnEarlierHolderThatIsSeenAfterTheWorkIsStoredAgain() {
        assertThat(locker.executeOnceFor("k", FIRST, () -> grant.showLateRecord(FIRST)))
                .isTrue();
        assertThat(grant.stores)
                .as("the record that was seen may be on one replica alone")
                .isEqualTo(1);
    }

    @Test
    void periodThatIsEarlierAfterItsWorkIsRefusedAndNotCalledSkipped() {
        Logger log = (Logger) LoggerFactory.getLogger(LockerWarnings.class);
        @Nullable Level usualLevel = log.getLevel();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.WARN);
        try {
            assertThatIllegalStateException()
                    .isThrownBy(() -> locker.executeOnceFor("k", FIRST, () -> grant.showLateRecord(SECOND)))
                    .withMessageContainingAll("2026-09-30", "'k'", "was not recorded", "2026-10-01");
            assertThat(lines.list).isEmpty();
            assertThat(execute(FIRST)).isFalse();
            assertThat(lines.list).singleElement().asString().contains("its work is skipped");
        } finally {
            log.setLevel(usualLevel);
            log.detachAppender(lines);
        }
    }

    @Test
    void periodOfAnotherTypeOrAValueOfTheApplicationIsRefused() {
        execute(FIRST);
        assertThatIllegalStateException()
                .isThrownBy(() -> locker.executeOnceFor("k", 2026, () -> events.add("ran")))
                .withMessageContainingAll("'k'", "LocalDate", "integer");
        grant.stored = new byte[] {42};
        assertThatIllegalStateException()
                .isThrownBy(() -> execute(SECOND))
                .withMessageContainingAll("'k'", "value of the application");
        assertThat(events).containsExactly("ran 2026-09-30");
    }

    @Test
    void callThatCannotRecordIsRefusedBeforeTheWork() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locker.executeOnceFor("k", 1.5, () -> events.add("ran")))
                .withMessageContaining("java.lang.Double");
        assertThatIllegalStateException()
                .isThrownBy(() -> locker.executeOnceFor(
                        LockRequest.of("k").mode(LockMode.PROTECTED_READ), FIRST, () -> events.add("ran")));
        grant.keepsValues = false;
        assertThatThrownBy(() -> execute(FIRST))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContainingAll("Lock 'k'", "Use the algorithm 'ticket'");
        assertThat(events).isEmpty();
    }
}
