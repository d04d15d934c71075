package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.notice.Notice;
import io.github.cassandralock.internal.notice.NoticeChannel;
import io.github.cassandralock.internal.session.SessionContext;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.internal.store.Contact;
import io.github.cassandralock.internal.store.Slot;
import io.github.cassandralock.internal.store.SlotPhase;
import io.github.cassandralock.internal.store.WriteOutcome;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.internal.ticket.process.TicketWarnings;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Refreshes and releases of slots that are acknowledged late, or not at all. */
class SlotWritesTest extends ScriptedStoreTest {

    private static final int MANY = BoundedOperations.MOST + 10;

    @Test
    void rowIsReliedOnForItsLifeLessTheDriftAndTheMargin() {
        assertThat(TERMS.certain(0.05)).isEqualTo(Duration.ofSeconds(10_260 - 7_202));
    }

    @Test
    void slotOfALockThatIsHeldForHoursIsWrittenAgainEveryNineteenMinutes() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "thread")));
        time.run(Duration.ofHours(3));
        assertThat(grant.isValid()).isTrue();
        assertThat(store.written).as("W1 and what followed").hasSizeBetween(9, 11);
    }

    @Test
    void slotOfAWaiterIsWrittenAgainToo() {
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        Attempt waiter = algorithm().acquire(AcquireRequest.waits("lock", "thread"));
        time.run(Duration.ofHours(2));
        store.others = List.of();
        time.run(Duration.ofSeconds(1));
        assertThat(granted(waiter).isValid()).isTrue();
        assertThat(store.written.stream().map(Slot::attempt).distinct()).hasSize(1);
    }

    @Test
    void refreshThatIsNotAcknowledgedIsRepeatedAfterAPause() {
        algorithm().acquire(AcquireRequest.waits("lock", "thread"));
        store.answers = slot -> {
            store.answers = again -> Optional.empty();
            return unacknowledged();
        };
        time.run(Duration.ofMinutes(20));
        assertThat(store.written).as("W1, a refresh, and the same again").hasSize(3);
    }

    @Test
    void lockWhoseSlotMayExpireBecauseNoRefreshIsAcknowledgedIsLost() {
        Grant grant = granted(algorithm().acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> unacknowledged();
        time.run(Duration.ofMinutes(50));
        assertThat(grant.isValid()).isTrue();
        time.run(Duration.ofMinutes(2));
        assertThat(grant.isValid()).isFalse();
        assertThat(grant.getLoss().toCompletableFuture())
                .isCompletedWithValueMatching(loss -> loss.text().contains("may have expired"));
    }

    @Test
    void releaseThatIsNotAcknowledgedIsRepeatedAndBlocksNoCaller() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> {
            store.answers = again -> Optional.empty();
            return unacknowledged();
        };
        assertThat(grant.release().toCompletableFuture()).isCompleted();
        assertThat(store.wanted()).as("slots, after the first try").isEqualTo(1);
        time.run(Duration.ofSeconds(1));
        assertThat(store.wanted()).as("slots, after the second one").isZero();
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
        assertThat(store.written(SlotPhase.IDLE)).isEqualTo(2);
    }

    private List<Grant> granted(TicketAlgorithm algorithm, int locks) {
        return IntStream.range(0, locks)
                .mapToObj(lock -> granted(algorithm.acquire(AcquireRequest.waits("lock " + lock, "thread"))))
                .toList();
    }

    @Test
    void fewSlotsAreReleasedAtATimeAndTheOthersFollow() {
        TicketAlgorithm algorithm = algorithm();
        List<Grant> grants = granted(algorithm, MANY);
        CompletableFuture<WriteOutcome> idle = new CompletableFuture<>();
        store.releasing = idle;
        grants.forEach(Grant::release);
        assertThat(store.written(SlotPhase.IDLE)).as("releases under way").isEqualTo(BoundedOperations.MOST);
        idle.complete(WriteOutcome.APPLIED);
        assertThat(store.written(SlotPhase.IDLE)).isEqualTo(MANY);
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
    }

    @Test
    void releasesThatWaitForTheirTurnEndWithTheSession() {
        TicketAlgorithm algorithm = algorithm();
        List<Grant> grants = granted(algorithm, MANY);
        CompletableFuture<WriteOutcome> idle = new CompletableFuture<>();
        store.releasing = idle;
        grants.forEach(Grant::release);
        algorithm.abandonAll(new LockLoss(LockLoss.Reason.OTHER, "the process was restored from a checkpoint"));
        idle.complete(WriteOutcome.APPLIED);
        assertThat(store.written(SlotPhase.IDLE)).isEqualTo(BoundedOperations.MOST);
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
    }

    @Test
    void fewSlotsAreRefreshedAtATimeAndTheOthersFollow() {
        List<Grant> grants = granted(algorithm(), MANY);
        int before = store.written.size();
        CompletableFuture<WriteOutcome> refresh = new CompletableFuture<>();
        store.refreshing = refresh;
        time.run(Duration.ofMinutes(20));
        assertThat(store.written).as("refreshes under way").hasSize(before + BoundedOperations.MOST);
        refresh.complete(WriteOutcome.APPLIED);
        assertThat(store.written).hasSize(before + MANY);
        assertThat(grants).allMatch(Grant::isValid);
    }

    /** Reaches nobody. */
    private static final class Reaching implements NoticeChannel {

        @Override
        public Optional<Contact> open(UUID session) {
            return Optional.empty();
        }

        @Override
        public void receiveBy(Receiver receiver) {}

        @Override
        public boolean mayReach(UUID session) {
            return false;
        }

        @Override
        public void send(UUID from, UUID to, Notice notice) {}

        @Override
        public void answer(UUID from, UUID to, Notice notice) {}
    }

    @Test
    void withNoticesTheReleaseOfALostLockAloneEndsWithItsWrite() {
        TicketAlgorithm algorithm =
                new TicketAlgorithm(store, sessions, new Reaching(), TERMS, process, Optional.empty());
        List<Grant> grants = granted(algorithm, 2);
        CompletableFuture<WriteOutcome> idle = new CompletableFuture<>();
        store.releasing = idle;
        grants.get(1).abandon(new LockLoss(LockLoss.Reason.CLOSED, "the application is shutting down"));
        CompletableFuture<Void> kept = grants.get(0).release().toCompletableFuture();
        CompletableFuture<Void> lost = grants.get(1).release().toCompletableFuture();
        assertThat(kept).isCompleted();
        assertThat(lost).as("the release of the lost lock, before its write").isNotDone();
        idle.complete(WriteOutcome.APPLIED);
        assertThat(lost).isCompleted();
    }

    @Test
    void releaseOfALockThatIsRequestedHereEndsWithTheFirstTryOfItsWrite() {
        TicketAlgorithm algorithm = algorithm();
        Grant reader =
                granted(algorithm.acquire(AcquireRequest.waits("lock", "reads").in(LockMode.PROTECTED_READ)));
        algorithm.acquire(AcquireRequest.waits("lock", "writes"));
        CompletableFuture<WriteOutcome> idle = new CompletableFuture<>();
        store.releasing = idle;
        CompletableFuture<Void> released = reader.release().toCompletableFuture();
        assertThat(released).as("before the write is answered").isNotDone();
        idle.complete(WriteOutcome.APPLIED);
        assertThat(released).as("after the write").isCompleted();
    }

    @Test
    void releaseWithoutAnAcknowledgementEndsWithItsSession() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> unacknowledged();
        grant.release();
        assertThat(Leftovers.in(algorithm, "actors")).isEqualTo(1);
        algorithm.abandonAll(new LockLoss(LockLoss.Reason.OTHER, "the process was restored from a checkpoint"));
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
    }

    @Test
    void releaseEndsIfTheTimersOfItsRepetitionHaveEnded() {
        AtomicBoolean timersEnded = new AtomicBoolean();
        SessionContext withTimersThatEnd = new SessionContext(
                store,
                sessions.settings(),
                process,
                delay -> timersEnded.get()
                        ? CompletableFuture.failedFuture(new IllegalStateException("shut down"))
                        : process.after(delay),
                UUID::randomUUID,
                "test");
        TicketAlgorithm algorithm = new TicketAlgorithm(store, withTimersThatEnd, TERMS, process);
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> unacknowledged();
        timersEnded.set(true);
        assertThat(grant.release().toCompletableFuture()).isCompleted();
        assertThat(Leftovers.in(algorithm, "actors")).isZero();
    }

    @Test
    void slotWhoseReleaseASoftCallReplacedIsReleasedWhenThatCallIsRefused() {
        TicketAlgorithm algorithm = algorithm();
        Grant grant = granted(algorithm.acquire(AcquireRequest.waits("lock", "thread")));
        store.answers = slot -> {
            store.answers = again -> Optional.empty();
            return unacknowledged();
        };
        grant.release();
        store.others = List.of(other(SlotPhase.TICKETED, 1));
        assertThat(outcome(algorithm.acquire(AcquireRequest.tries("lock", "soft"))))
                .isCompletedWithValue(Optional.empty());
        assertThat(store.wanted()).as("slots").isZero();
    }

    @Test
    void lateReleaseOfALostLockDoesNotAffectTheNextHolder() {
        TicketAlgorithm algorithm = algorithm();
        Grant lost = granted(algorithm.acquire(AcquireRequest.waits("lock", "first")));
        Attempt next = algorithm.acquire(AcquireRequest.waits("lock", "second"));
        algorithm.abandonAll(new LockLoss(LockLoss.Reason.OTHER, "the process was restored from a checkpoint"));
        assertThat(granted(next).isValid()).isTrue();
        assertThat(lost.release().toCompletableFuture()).isCompleted();
        assertThat(granted(next).isValid()).isTrue();
        assertThat(store.wanted()).as("slots").isEqualTo(1);
    }

    @Test
    void logOfAnUnacknowledgedWriteNamesTheLockAndTheCause() {
        Logger log = (Logger) LoggerFactory.getLogger(TicketWarnings.class);
        Level usualLevel = log.getEffectiveLevel();
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        log.setLevel(Level.WARN);
        log.addAppender(lines);
        try {
            Grant grant = granted(algorithm().acquire(AcquireRequest.waits("invoice:1", "thread")));
            store.answers = slot -> unacknowledged();
            time.run(Duration.ofMinutes(20));
            grant.release();
        } finally {
            log.detachAppender(lines);
            log.setLevel(usualLevel);
        }
        assertThat(lines.list.stream().map(ILoggingEvent::getFormattedMessage))
                .anyMatch(line -> line.contains("A refresh of the slot of lock 'invoice:1' was not acknowledged"))
                .anyMatch(line -> line.contains("The release of lock 'invoice:1' was not acknowledged"));
    }
}
