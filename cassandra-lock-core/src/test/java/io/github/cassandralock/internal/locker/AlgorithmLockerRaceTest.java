package io.github.cassandralock.internal.locker;

import static io.github.cassandralock.internal.threads.Races.race;
import static io.github.cassandralock.internal.threads.Races.require;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocks;
import io.github.cassandralock.internal.locker.held.AbandonedPolicy;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.locker.observe.CallbackThreads;
import io.github.cassandralock.internal.threads.Leftovers;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Calls and grants while the locker closes, or while the caller cancels. The tests fail if {@code closed} is not read when a
 * handle is created, or not after a call has begun to wait, and if a grant without a waiting call is not released: each of these
 * faults was planted once.
 */
class AlgorithmLockerRaceTest {

    private static final LockRequest A_DAY = LockRequest.of("lock").holdAtLeast(Duration.ofDays(1));

    /** One grant, given when a thread of the scenario says so. */
    private static final class OneGrant extends PlainGrant implements LockAlgorithm, Attempt {

        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        private final CompletableFuture<Void> released = new CompletableFuture<>();
        private final CompletableFuture<Void> left = new CompletableFuture<>();
        private volatile boolean asked;

        void grant() {
            outcome.complete(Optional.of(this));
        }

        @Override
        public String getName() {
            return "one grant";
        }

        @Override
        public Attempt acquire(AcquireRequest request) {
            if (request.waits()) {
                asked = true;
            }
            return this;
        }

        @Override
        public void abandonAll(LockLoss loss) {}

        @Override
        public CompletionStage<Void> closeAsync() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        @Override
        public Optional<Obstacle> getObstacle() {
            return Optional.empty();
        }

        @Override
        public void giveUp() {}

        @Override
        public CompletionStage<Void> release() {
            released.complete(null);
            return super.release();
        }

        @Override
        public CompletionStage<Void> keepTaken(Duration atLeast) {
            left.complete(null);
            return left;
        }
    }

    /** In which no time passes. */
    private static final class World {

        private final OneGrant algorithm = new OneGrant();
        private final AlgorithmLocker locker;

        World() {
            this(new OnTheCallersThread(), new OnTheCallersThread());
        }

        World(ThreadlessExecutor callbacks, ThreadlessExecutor steps) {
            locker = new AlgorithmLocker(
                    algorithm,
                    Duration.ofSeconds(15),
                    () -> 0,
                    delay -> new CompletableFuture<>(),
                    List.of(),
                    () -> CallObserver.NONE,
                    new CallbackThreads(callbacks, steps, new OnTheCallersThread(), new OnTheCallersThread()),
                    Optional::empty,
                    AbandonedPolicy.IGNORE);
        }

        private final AtomicReference<@Nullable RemoteLock> given = new AtomicReference<>();
        private final AtomicReference<@Nullable RuntimeException> refused = new AtomicReference<>();

        void take() {
            answeredBy(() -> locker.getLock("lock"));
        }

        void takeAsync() {
            answeredBy(() -> locker.getLockAsync("lock").join());
        }

        private void answeredBy(Supplier<RemoteLock> call) {
            try {
                given.set(call.get());
            } catch (RuntimeException e) {
                refused.set(e);
            }
        }

        void mustHaveLeftNothing() {
            require(locker.waitingCalls() == 0, "a call was left behind");
            require(locker.heldLocks() == 0, "a handle was left behind");
            require(
                    Leftovers.in(Leftovers.of(Leftovers.of(locker, "minimumHolds"), "present"), "lists") == 0,
                    "a lock with a minimum time was left behind");
        }

        void takeForADay() {
            answeredBy(() -> locker.getLock(A_DAY));
        }

        /** Whoever got the lock, or not: it is not renewed any more. */
        void mustHaveEndedTheHold() {
            require(
                    !algorithm.asked || algorithm.released.isDone() || algorithm.left.isDone(),
                    "the lock is still renewed");
            mustHaveLeftNothing();
        }

        /** If the caller got the lock, its loss is reported; if not, the call fails because the locker was closed. */
        void mustHaveToldTheTruth() {
            require(
                    !algorithm.asked || algorithm.released.isDone(),
                    "the lock is still taken although the locker has closed");
            RemoteLock lock = given.get();
            RuntimeException refusal = refused.get();
            if (lock != null) {
                AtomicInteger told = new AtomicInteger();
                lock.onLost(reason -> told.incrementAndGet());
                require(
                        !lock.isHeld() && told.get() == 1,
                        "the caller has a lock that is released, and its loss was not reported");
            } else {
                require(refusal != null && causeOf(refusal).contains("closed"), "the failure of the call: " + refusal);
            }
            mustHaveLeftNothing();
        }

        private static String causeOf(RuntimeException failure) {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            return String.valueOf(cause.getMessage());
        }
    }

    @Test
    void lockWithAMinimumTimeGrantedDuringTheCloseIsReleasedOrLeftBehind() {
        race(threads -> {
            World world = new World();
            threads.run(world::takeForADay, world.algorithm::grant, world.locker::closeAsync);
            world.mustHaveEndedTheHold();
        });
    }

    @Test
    void lockWithAMinimumTimeThatItsHolderClosesWhileTheLockerDoesIsLeftBehind() {
        race(threads -> {
            World world = new World();
            world.algorithm.grant();
            RemoteLock lock = world.locker.getLock(A_DAY);
            threads.run(lock::close, world.locker::closeAsync);
            require(world.algorithm.left.isDone(), "the lock is not left behind");
            world.mustHaveEndedTheHold();
        });
    }

    /** The locker closes after the answer of the algorithm, and before the caller sees it. */
    @Test
    void lockThatTheEndTookFromItsCallerNeedNotStayTaken() {
        OnDemand callbacks = new OnDemand();
        World world = new World(callbacks, new OnTheCallersThread());
        CompletableFuture<RemoteLock> call =
                world.locker.getLockAsync(LockRequest.of("lock").holdAtLeast(Duration.ofSeconds(5)));
        world.algorithm.grant();
        CompletableFuture<Void> end = world.locker.closeAsync().toCompletableFuture();
        assertThat(end).as("the end, which waits for the rest of five seconds").isNotDone();
        callbacks.run();
        assertThat(call).isCompletedExceptionally();
        assertThat(end).as("the end").isCompleted();
        world.mustHaveEndedTheHold();
    }

    @Test
    void lockGrantedDuringTheCloseIsReturnedAndReportedLostOrReleased() {
        race(threads -> {
            World world = new World();
            threads.run(world::take, world.algorithm::grant, world.locker::closeAsync);
            world.mustHaveToldTheTruth();
        });
    }

    @Test
    void asynchronousCallThatIsGrantedWhileTheLockerClosesIsTreatedAlike() {
        race(threads -> {
            World world = new World();
            threads.run(world::takeAsync, world.algorithm::grant, world.locker::closeAsync);
            world.mustHaveToldTheTruth();
        });
    }

    @Test
    void lockThatIsGrantedAtOnceWhileTheLockerClosesIsTreatedAlike() {
        race(threads -> {
            World world = new World();
            world.algorithm.grant();
            threads.run(world::take, world.locker::closeAsync);
            world.mustHaveToldTheTruth();
        });
    }

    @Test
    void callDuringTheCloseEndsAlthoughTheLockIsNotGranted() {
        race(threads -> {
            World world = new World();
            threads.run(world::take, world.locker::closeAsync);
            require(world.refused.get() != null, "the caller was not refused");
            world.mustHaveLeftNothing();
        });
    }

    @Test
    void lockWhoseCallIsCancelledIsReleasedAlthoughNoCallbackThreadIsFree() {
        World world = new World(new OnDemand(), new OnTheCallersThread());
        CompletableFuture<RemoteLock> call = world.locker.getLockAsync("lock");
        world.algorithm.grant();
        assertThat(call.cancel(false)).isTrue();
        assertThat(world.algorithm.released).as("the release").isCompleted();
        world.mustHaveLeftNothing();
    }

    @Test
    void locksWhoseCallIsCancelledAreReleasedAlthoughNoCallbackThreadIsFree() {
        World world = new World(new OnDemand(), new OnTheCallersThread());
        CompletableFuture<RemoteLocks> call = world.locker.getLocksAsync(MultiLockRequest.of(List.of("lock")));
        world.algorithm.grant();
        assertThat(call.cancel(false)).isTrue();
        assertThat(world.algorithm.released).as("the release").isCompleted();
        world.mustHaveLeftNothing();
    }

    @Test
    void locksWhoseCallIsCancelledAreReleasedAlthoughNoThreadForStepsIsFree() {
        OnDemand steps = new OnDemand();
        World world = new World(new OnTheCallersThread(), steps);
        CompletableFuture<RemoteLocks> call = world.locker.getLocksAsync(MultiLockRequest.of(List.of("lock")));
        world.algorithm.grant();
        assertThat(call.cancel(false)).isTrue();
        assertThat(world.algorithm.released).as("the release").isCompleted();
        steps.run();
        world.mustHaveLeftNothing();
    }

    @Test
    void grantDuringTheCancellationOfItsCallHasAnOwnerOrIsReleased() {
        race(threads -> {
            World world = new World();
            CompletableFuture<RemoteLock> future = world.locker.getLockAsync("lock");
            threads.run(world.algorithm::grant, () -> future.cancel(false));
            boolean owned = !future.isCancelled() && future.join().isHeld();
            require(owned != world.algorithm.released.isDone(), "owned: " + owned);
            require(world.locker.waitingCalls() == 0, "a call was left behind");
        });
    }
}
