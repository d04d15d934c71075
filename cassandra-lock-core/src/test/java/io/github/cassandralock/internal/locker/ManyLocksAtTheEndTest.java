package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.steps.BoundedOperations;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** The end of a locker that holds very many locks, in simulated time, with an algorithm whose releases end when the test says. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ManyLocksAtTheEndTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** Shorter than the limit, in real time. */
    private static final Duration BOUND = Duration.ofSeconds(8);

    private static final int MANY = 2_000;
    private static final int VERY_MANY = 100_000;

    private final Logger log = (Logger) LoggerFactory.getLogger("io.github.cassandralock.internal.locker");
    private final Level usualLevel = log.getLevel();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final Granting algorithm = new Granting();
    private final AtomicInteger begunWhenObserved = new AtomicInteger(-1);
    private final AlgorithmLocker locker = new AlgorithmLocker(
            algorithm,
            LEASE,
            process,
            process,
            List.of(),
            () -> (request, threadId, waits) -> new Observed(),
            CallbackThreads.create(),
            Optional::empty,
            AbandonedPolicy.IGNORE);

    /** Grants each lock at once. */
    private static final class Granting implements LockAlgorithm {

        private final List<Release> begun = new CopyOnWriteArrayList<>();
        private final AtomicInteger atOnce = new AtomicInteger();
        private volatile boolean endsAtOnce;
        private volatile boolean closed;

        private record Release(
                CompletableFuture<Void> end, @Nullable Duration keptTaken) {}

        @Override
        public String getName() {
            return "granting";
        }

        @Override
        public Attempt acquire(AcquireRequest request) {
            return new Attempt() {
                @Override
                public CompletionStage<Optional<Grant>> getOutcome() {
                    return CompletableFuture.completedFuture(Optional.of(grant()));
                }

                @Override
                public void giveUp() {}
            };
        }

        private Grant grant() {
            return new PlainGrant() {
                @Override
                public CompletionStage<Void> release() {
                    super.release();
                    return begin(null);
                }

                @Override
                public CompletionStage<Void> keepTaken(Duration atLeast) {
                    return begin(atLeast);
                }
            };
        }

        private CompletionStage<Void> begin(@Nullable Duration keptTaken) {
            if (endsAtOnce) {
                atOnce.incrementAndGet();
                return CompletableFuture.completedFuture(null);
            }
            Release release = new Release(new CompletableFuture<>(), keptTaken);
            begun.add(release);
            return release.end();
        }

        @Override
        public CompletionStage<Void> closeAsync() {
            closed = true;
            return CompletableFuture.completedFuture(null);
        }
    }

    private final class Observed implements CallObserver.Call {

        @Override
        public Consumer<Optional<LockLostException>> granted() {
            return loss -> begunWhenObserved.compareAndSet(-1, algorithm.begun.size());
        }
    }

    @BeforeEach
    void listen() {
        lines.start();
        log.addAppender(lines);
        log.setLevel(Level.WARN);
    }

    @AfterEach
    void end() {
        algorithm.endsAtOnce = true;
        locker.close(Duration.ZERO);
        log.detachAppender(lines);
        log.setLevel(usualLevel);
    }

    private void take(int locks) {
        take(locks, Duration.ZERO);
    }

    private void take(int locks, Duration atLeast) {
        IntStream.range(0, locks)
                .forEach(lock -> locker.getLock(LockRequest.of("lock " + lock).holdAtLeast(atLeast)));
    }

    private List<String> warnings() {
        return lines.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void fewReleasesAreUnderWayAtATimeAndEachEndBeginsTheNext() {
        take(MANY);
        CompletableFuture<Void> end = locker.closeAsync().toCompletableFuture();
        assertThat(algorithm.begun).hasSize(BoundedOperations.MOST);
        for (int ended = 0; ended < MANY; ended++) {
            assertThat(end).isNotDone();
            algorithm.begun.get(ended).end().complete(null);
            assertThat(algorithm.begun).hasSize(Math.min(MANY, BoundedOperations.MOST + ended + 1));
        }
        assertThat(end).isCompleted();
        assertThat(warnings()).as("about the losses alone").hasSize(1);
    }

    @Test
    void noReleaseBeginsAfterTheLimitAndTheNumberOfLocksLeftIsLogged() {
        take(MANY);
        CompletableFuture<Void> end = locker.closeAsync().toCompletableFuture();
        algorithm.begun.get(0).end().complete(null);
        time.run(LIMIT.minusMillis(1));
        assertThat(end).as("the end, before the limit").isNotDone();
        assertThat(algorithm.closed).isFalse();
        time.run(Duration.ofMillis(2));
        assertThat(end).as("the end, at the limit").isCompleted();
        assertThat(algorithm.closed).isTrue();
        algorithm.begun.get(1).end().complete(null);
        assertThat(algorithm.begun).as("releases").hasSize(BoundedOperations.MOST + 1);
        assertThat(warnings())
                .filteredOn(line -> line.contains("released"))
                .singleElement()
                .asString()
                .startsWith("At shutdown, 1999 of 2000 locks were not released within 10 s");
    }

    @Test
    void blockingCloseReturnsAtTheLimitOfTheTimers() throws Exception {
        take(MANY);
        Thread closer = new Thread(locker::close);
        closer.start();
        await().atMost(BOUND)
                .until(() -> algorithm.begun.size() == BoundedOperations.MOST
                        && closer.getState() == Thread.State.TIMED_WAITING);
        time.run(LIMIT.plusMillis(1));
        closer.join(BOUND.toMillis());
        assertThat(closer.isAlive()).as("still closing").isFalse();
        assertThat(algorithm.closed).isTrue();
    }

    @Test
    void holderOfALockThatIsNotReleasedIsNotifiedAsOfAnyOther() {
        RemoteLock oldest = locker.getLock("oldest");
        time.run(Duration.ofMillis(1));
        take(MANY);
        List<LockLoss.Reason> losses = new CopyOnWriteArrayList<>();
        oldest.onLost(loss -> losses.add(loss.reason()));
        locker.closeAsync();
        CompletableFuture<Void> closed = oldest.closeAsync();
        await().atMost(BOUND).until(() -> losses.equals(List.of(LockLoss.Reason.CLOSED)));
        assertThat(oldest.isHeld()).isFalse();
        assertThat(locker.heldLocks()).isZero();
        assertThat(closed).as("the release, before the limit").isNotDone();
        time.run(LIMIT.plusMillis(1));
        assertThat(closed).as("the release, which never begins").succeedsWithin(BOUND);
    }

    @Test
    void veryManyReleasesThatEndAtOnceAreNotNested() {
        take(VERY_MANY);
        algorithm.endsAtOnce = true;
        locker.close();
        assertThat(algorithm.atOnce).hasValue(VERY_MANY);
    }

    @Test
    void oneLineNamesTenOfTheLocksThatAreLost() {
        take(MANY);
        locker.closeAsync();
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("2000 locks are lost, because the application is shutting down: 'lock ")
                .endsWith(" and others")
                .satisfies(line -> assertThat(line.split("'lock ", -1)).hasSize(10 + 1));
    }

    @Test
    void observersThatBlockDelayNoRelease() {
        take(3);
        locker.closeAsync();
        assertThat(begunWhenObserved)
                .as("releases under way when the first is observed")
                .hasValue(3);
    }

    @Test
    void fewLocksAreLeftBehindAtATimeBeginningWithTheLongest() {
        take(MANY, Duration.ofHours(1));
        locker.getLock(LockRequest.of("longest").holdAtLeast(Duration.ofHours(2)));
        CompletableFuture<Void> end = locker.closeAsync().toCompletableFuture();
        assertThat(algorithm.begun).hasSize(BoundedOperations.MOST);
        assertThat(algorithm.begun.get(0).keptTaken()).isEqualTo(Duration.ofHours(2));
        for (int ended = 0; ended <= MANY; ended++) {
            assertThat(end).isNotDone();
            algorithm.begun.get(ended).end().complete(null);
        }
        assertThat(algorithm.begun).hasSize(MANY + 1).allMatch(left -> left.keptTaken() != null);
        assertThat(end).isCompleted();
    }
}
