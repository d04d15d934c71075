package io.github.cassandralock.internal.migration;

import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One attempt to take both halves of a lock, first the new one, then the old one. At its end it holds both, or neither. */
final class MigrationAttempt implements Attempt {

    /*
     * Only tasks of the mailbox change the fields. The new half may be lost while the attempt waits for the old one. Then the
     * attempt stops waiting for the old half, and an attempt that waits begins again. Before an attempt ends without the lock, it
     * releases the half that it has.
     */

    private final LockAlgorithm from;
    private final LockAlgorithm to;
    private final AcquireRequest request;
    private final MigrationTokens tokens;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Mailbox mailbox = new Mailbox();
    private volatile @Nullable Attempt underWay;
    private boolean givenUp;
    private int rounds;

    /** @param tokens which the lock is to have */
    MigrationAttempt(LockAlgorithm from, LockAlgorithm to, AcquireRequest request, MigrationTokens tokens) {
        this.from = from;
        this.to = to;
        this.request = request;
        this.tokens = tokens;
    }

    void start() {
        mailbox.execute(this::takeNewHalf);
    }

    @Override
    public CompletionStage<Optional<Grant>> getOutcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> getObstacle() {
        return Optional.ofNullable(underWay).flatMap(Attempt::getObstacle);
    }

    @Override
    public void giveUp() {
        mailbox.execute(() -> {
            givenUp = true;
            if (underWay != null) {
                underWay.giveUp();
            }
        });
    }

    private void takeNewHalf() {
        rounds++;
        requestHalf(
                to,
                newHalf -> {
                    if (givenUp) {
                        releaseAndEnd(newHalf, null);
                    } else {
                        takeOldHalf(newHalf);
                    }
                },
                this::end);
    }

    private void takeOldHalf(Grant newHalf) {
        Attempt attempt = requestHalf(
                from,
                oldHalf -> bothTaken(new MigrationGrant(oldHalf, newHalf, tokens)),
                failure -> releaseAndEnd(newHalf, failure));
        newHalf.getLoss().thenRun(attempt::giveUp);
    }

    private void bothTaken(MigrationGrant both) {
        if (givenUp || !both.isValid()) {
            releaseAndEnd(both, null);
        } else {
            outcome.complete(Optional.of(both));
        }
    }

    /** @param failure why the other half was not granted; null if it was refused, or was granted */
    private void releaseAndEnd(Grant had, @Nullable Throwable failure) {
        boolean lost = !had.isValid();
        had.release()
                .thenRunAsync(
                        () -> {
                            if (failure != null && !(failure instanceof CancellationException)) {
                                end(failure);
                            } else if (lost && request.waits() && !givenUp) {
                                takeNewHalf();
                            } else {
                                end(null);
                            }
                        },
                        mailbox);
    }

    /** @param failure null if the attempt was refused */
    private void end(@Nullable Throwable failure) {
        if (givenUp) {
            outcome.completeExceptionally(new CancellationException("the caller gave up"));
        } else if (failure != null) {
            outcome.completeExceptionally(failure);
        } else {
            outcome.complete(Optional.empty());
        }
    }

    /**
     * Requests one half. Each round has its own thread id, so that cells of an earlier round do not count for this round.
     *
     * @param missed receives the failure, or null if the half was refused
     */
    private Attempt requestHalf(LockAlgorithm half, Consumer<Grant> taken, Consumer<@Nullable Throwable> missed) {
        Attempt attempt = half.acquire(rounds == 1 ? request : request.named(request.threadId() + "-" + rounds));
        underWay = attempt;
        attempt.getOutcome()
                .whenCompleteAsync(
                        (grant, failure) -> {
                            if (grant != null && grant.isPresent()) {
                                taken.accept(grant.get());
                            } else {
                                missed.accept(failure);
                            }
                        },
                        mailbox);
        return attempt;
    }
}
