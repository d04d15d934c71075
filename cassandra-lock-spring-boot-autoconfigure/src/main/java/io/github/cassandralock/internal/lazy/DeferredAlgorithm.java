package io.github.cassandralock.internal.lazy;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.startup.Creation;
import io.github.cassandralock.internal.startup.NotStartedException;
import io.github.cassandralock.internal.startup.RepeatedStart;
import io.github.cassandralock.internal.startup.StartReport;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An algorithm that is created in the background, because that needs Cassandra. Until it is there, attempts fail at once, with the
 * reason. Attempts that begin before the end of the first try wait for that end. Thread-safe.
 */
public class DeferredAlgorithm implements LockAlgorithm {

    private final String name;
    private final boolean everything;
    private final UnaryOperator<Throwable> translation;
    private final RepeatedStart<LockAlgorithm> start;

    /**
     * @param threads the beginning of the names of threads
     * @param name of the algorithm that will be created
     * @param everything whether locks have all modes, values and permits; otherwise, they have none of these
     * @param translation of a failure that has been explained, for application code
     * @param longestPause between two tries to create it
     */
    public DeferredAlgorithm(
            String threads,
            String name,
            boolean everything,
            Creation<LockAlgorithm> creation,
            UnaryOperator<Throwable> translation,
            StartReport report,
            Duration longestPause) {
        this.name = name;
        this.everything = everything;
        this.translation = translation;
        this.start = new RepeatedStart<>(threads + "start", creation, LockAlgorithm::close, report, longestPause);
    }

    /** Begins to create the algorithm, if no attempt has begun it yet. */
    public void begin() {
        start.begin();
    }

    /** The algorithm; empty until it is there. */
    public Optional<LockAlgorithm> created() {
        return start.created();
    }

    /** Returns why it is not there, and what to do, in sentences; empty if it is there. */
    public Optional<NotStartedException> problem() {
        return start.problem();
    }

    /** Completes when the first try has ended, even by a failure. Begins that try, if need be. */
    public CompletableFuture<Void> firstTry() {
        return start.current().<Void>handle((algorithm, failure) -> null).toCompletableFuture();
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean supports(LockMode mode) {
        return start.created()
                .map(algorithm -> algorithm.supports(mode))
                .orElse(everything || mode == LockMode.EXCLUSIVE);
    }

    @Override
    public boolean keepsValues() {
        return start.created().map(LockAlgorithm::keepsValues).orElse(everything);
    }

    @Override
    public boolean supportsPermits() {
        return start.created().map(LockAlgorithm::supportsPermits).orElse(everything);
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        Optional<LockAlgorithm> algorithm = start.created();
        return algorithm.isPresent() ? algorithm.get().acquire(request) : new DeferredAttempt().begun(request);
    }

    private RuntimeException refusal(String lockId, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!(cause instanceof NotStartedException problem)) {
            return new IllegalStateException("Lock '" + lockId + "' could not be taken", cause);
        }
        return problem.isClosed()
                ? new IllegalStateException("Lock '" + lockId + "' could not be taken: the locks were closed")
                : new LockStoreException(
                        lockId,
                        "Lock '" + lockId + "' could not be taken, because this application has not been able to use"
                                + " Cassandra since its start. Nothing is held. " + problem.reason()
                                + " The application tries again every few seconds; take the lock again then",
                        translation.apply(problem.failure()));
    }

    @Override
    public void abandonAll(LockLoss loss) {
        start.created().ifPresent(created -> created.abandonAll(loss));
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        LockAlgorithm algorithm = start.close();
        return algorithm == null ? CompletableFuture.completedStage(null) : algorithm.closeAsync();
    }

    /** An attempt that begins when the algorithm is there. */
    private final class DeferredAttempt implements Attempt {

        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
        private volatile @Nullable Attempt begun;

        DeferredAttempt begun(AcquireRequest request) {
            start.current().thenApply(created -> created.acquire(request)).whenComplete((attempt, failure) -> {
                if (failure != null) {
                    outcome.completeExceptionally(refusal(request.lockId(), failure));
                } else {
                    follow(attempt);
                }
            });
            return this;
        }

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        private void follow(Attempt attempt) {
            begun = attempt;
            if (outcome.isDone()) {
                attempt.giveUp();
            }
            attempt.getOutcome().whenComplete(this::answered);
        }

        /** Releases a grant that comes after the attempt was cancelled: the caller has its answer already. */
        private void answered(@Nullable Optional<Grant> grant, @Nullable Throwable failure) {
            if (failure != null || grant == null) {
                outcome.completeExceptionally(failure == null ? new IllegalStateException("no outcome") : failure);
            } else if (!outcome.complete(grant)) {
                grant.ifPresent(Grant::release);
            }
        }

        @Override
        public Optional<Obstacle> getObstacle() {
            Attempt attempt = begun;
            return attempt == null ? start.problem().map(Obstacle.StoreFails::new) : attempt.getObstacle();
        }

        @Override
        public void giveUp() {
            if (begun == null) {
                outcome.completeExceptionally(new CancellationException("given up"));
            }
            Attempt attempt = begun; // it may have begun meanwhile
            if (attempt != null) {
                attempt.giveUp();
            }
        }
    }
}
