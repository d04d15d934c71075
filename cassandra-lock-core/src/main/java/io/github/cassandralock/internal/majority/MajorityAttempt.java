package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.ClusterRequest.Answer;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to take the lock in a majority of the clusters (docs/majority.md, section 3). It requests the lock in one cluster after
 * the other, and releases its parts if they are no majority.
 */
abstract class MajorityAttempt implements Attempt {

    /* Only tasks of the mailbox change the fields. */

    final Clusters clusters;
    final MajorityContext context;
    final String lockId;
    final ThreadNames names;
    final Mailbox mailbox = new Mailbox();
    final Holding holding = new Holding();

    /** Clusters whose last answer in this pass was a failure. */
    final Map<ClusterWatch, Throwable> failures = new LinkedHashMap<>();

    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private volatile @Nullable ClusterRequest request;
    private boolean givenUp;

    MajorityAttempt(Clusters clusters, MajorityContext context, String lockId, String threadId) {
        this.clusters = clusters;
        this.context = context;
        this.lockId = lockId;
        this.names = new ThreadNames(threadId);
    }

    void start() {
        mailbox.execute(this::begin);
    }

    /** Begins a pass over the clusters. */
    abstract void begin();

    /** Decides what follows an answer. */
    abstract void answered(Answer answer, Runnable next);

    /** Ends a pass without a majority. */
    abstract void passFailed();

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public void giveUp() {
        mailbox.execute(() -> {
            givenUp = true;
            stopWaiting();
        });
    }

    void stopWaiting() {
        ClusterRequest present = request;
        if (present != null) {
            present.giveUp();
        }
    }

    @Nullable
    ClusterRequest request() {
        return request;
    }

    /** Whether the attempt has ended, or ends by this call because the caller gave up or no lock can be had. */
    boolean endsAtOnce() {
        if (outcome.isDone()) {
            return true;
        }
        Optional<RuntimeException> reason = givenUp ? Optional.of(givenUp()) : clusters.whyNone(lockId);
        reason.ifPresent(this::fail);
        return reason.isPresent();
    }

    private static RuntimeException givenUp() {
        return new CancellationException("the caller gave up");
    }

    void follow(ClusterRequest begun, Runnable next) {
        request = begun;
        begun.answer()
                .thenAcceptAsync(
                        answer -> {
                            request = null;
                            received(begun.cluster(), answer, next);
                        },
                        mailbox);
    }

    private void received(ClusterWatch cluster, Answer answer, Runnable next) {
        failures.remove(cluster);
        if (answer instanceof Answer.Taken taken) {
            holding.add(taken.part());
        } else if (answer instanceof Answer.Missed missed) {
            missed.failure().ifPresent(failure -> failures.put(cluster, failure));
        }
        if (givenUp) {
            fail(givenUp());
        } else {
            answered(answer, next);
        }
    }

    boolean holdsMajority() {
        return Holding.isMajority(holding.parts(), clusters);
    }

    /** A lock that is lost before it is granted is not granted. */
    void grant() {
        MajorityGrant grant = MajorityGrant.started(clusters, context, lockId, names, holding.parts());
        if (grant.isValid()) {
            outcome.complete(Optional.of(grant));
        } else {
            passFailed();
        }
    }

    void refuse() {
        holding.giveBack();
        outcome.complete(Optional.empty());
    }

    void fail(Throwable failure) {
        holding.giveBack();
        outcome.completeExceptionally(failure);
    }
}
