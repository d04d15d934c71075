package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.ClusterRequest.Answer;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to take the lock in a majority of the clusters (docs/majority.md, section 3). It requests the lock in one cluster
 * after the other, in ascending order. It releases its parts if they are no majority.
 *
 * <p>An attempt that waits goes up through the clusters once, and waits in one cluster at a time. Therefore the attempt waits
 * only above all that it holds, and no cycle of waiting attempts can arise. An attempt that tries ends when a cluster refuses.
 * All attempts that see the same clusters meet in the same first cluster. It gives its part to one of them, and only that attempt
 * goes on.
 */
final class MajorityAttempt implements Attempt {

    /*
     * Only tasks of the mailbox change the fields. The attempt is always in one of four states: a request; a pause; the wait for
     * a majority that counts, without a hold; the end.
     */

    private final Clusters clusters;
    private final MajorityContext context;
    private final AcquireRequest acquireRequest;
    private final ThreadNames names;
    private final Mailbox mailbox = new Mailbox();
    private final Holding holding = new Holding();

    /** Clusters whose last answer in this pass was a failure. */
    private final Map<ClusterWatch, Throwable> failures = new LinkedHashMap<>();

    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Runnable clustersChanged = this::clustersChanged;
    private volatile @Nullable ClusterRequest request;
    private volatile @Nullable CompletableFuture<Void> pause;
    private volatile boolean waitsForMajority;
    private boolean givenUp;

    /** Whether the attempt goes up. False when it requests the skipped clusters, which are below others that it holds. */
    private boolean goesUp;

    private Duration nextPause;

    MajorityAttempt(Clusters clusters, MajorityContext context, AcquireRequest acquireRequest) {
        this.clusters = clusters;
        this.context = context;
        this.acquireRequest = acquireRequest;
        this.names = new ThreadNames(acquireRequest.threadId());
        this.nextPause = context.settings().firstPause();
    }

    MajorityAttempt started() {
        if (acquireRequest.waits()) {
            clusters.onChange(clustersChanged);
            outcome.whenComplete((grant, failure) -> clusters.forget(clustersChanged));
        }
        mailbox.execute(this::begin);
        return this;
    }

    @Override
    public CompletionStage<Optional<Grant>> getOutcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> getObstacle() {
        ClusterRequest present = request;
        if (present != null) {
            return present.obstacle();
        }
        return waitsForMajority
                ? Optional.of(new Obstacle.StoreFails(new IllegalStateException(clusters.state())))
                : Optional.empty();
    }

    @Override
    public void giveUp() {
        mailbox.execute(() -> {
            givenUp = true;
            stopWaiting();
        });
    }

    private void stopWaiting() {
        CompletableFuture<Void> pausing = pause;
        ClusterRequest present = request;
        if (pausing != null) {
            pausing.complete(null);
        } else if (waitsForMajority) {
            begin();
        } else if (present != null) {
            present.giveUp();
        }
    }

    private void clustersChanged() {
        mailbox.execute(this::lookAtClusters);
    }

    private void lookAtClusters() {
        ClusterRequest present = request;
        if (waitsForMajority) {
            begin();
        } else if (present != null && !(clusters.majorityCounts() && clusters.counts(present.cluster()))) {
            present.giveUp();
        }
    }

    /** Begins a pass over the clusters, if a majority counts. If none does, an attempt that waits holds nothing meanwhile. */
    private void begin() {
        waitsForMajority = false;
        failures.clear();
        if (endIfOver()) {
            return;
        }
        if (clusters.majorityCounts()) {
            goesUp = true;
            requestFrom(0);
        } else if (acquireRequest.waits()) {
            waitsForMajority = true;
        } else {
            passFailed();
        }
    }

    /** Ends the attempt if the caller gave up or no lock can be had. Returns whether the attempt has ended. */
    private boolean endIfOver() {
        if (outcome.isDone()) {
            return true;
        }
        Optional<RuntimeException> reason =
                givenUp ? Optional.of(givenUp()) : clusters.whyNone(acquireRequest.lockId());
        reason.ifPresent(this::fail);
        return reason.isPresent();
    }

    private static RuntimeException givenUp() {
        return new CancellationException("the caller gave up");
    }

    /** Requests the lock in the cluster with this number. Skips it if it does not count, or the lock is held there. */
    private void requestFrom(int number) {
        if (number == clusters.size()) {
            allRequested();
            return;
        }
        ClusterWatch cluster = clusters.all().get(number);
        if (clusters.counts(cluster) && !holding.has(cluster)) {
            follow(request(cluster), () -> requestFrom(number + 1));
        } else {
            requestFrom(number + 1);
        }
    }

    /** Never waits in a cluster below others that it holds. */
    private ClusterRequest request(ClusterWatch cluster) {
        return acquireRequest.waits() && goesUp
                ? ClusterRequest.waits(cluster, acquireRequest.lockId(), names.next())
                : ClusterRequest.tries(cluster, acquireRequest.lockId(), names.next(), context);
    }

    private void follow(ClusterRequest begun, Runnable next) {
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

    private void answered(Answer answer, Runnable next) {
        if (!acquireRequest.waits() && answer instanceof Answer.Refused) {
            holding.giveBack();
            outcome.complete(Optional.empty());
        } else if (Holding.isMajority(holding.parts(), clusters)) {
            grant();
        } else if (acquireRequest.waits() && !clusters.majorityCounts()) {
            holding.giveBack();
            begin();
        } else {
            next.run();
        }
    }

    /** A lock that is lost before it is granted is not granted. */
    private void grant() {
        MajorityGrant grant = MajorityGrant.started(clusters, context, acquireRequest.lockId(), names, holding.parts());
        if (grant.isValid()) {
            outcome.complete(Optional.of(grant));
        } else {
            passFailed();
        }
    }

    /** An attempt that waits then requests the skipped clusters that count by now. */
    private void allRequested() {
        if (acquireRequest.waits() && goesUp) {
            goesUp = false;
            holding.dropLostParts();
            requestFrom(0);
        } else {
            passFailed();
        }
    }

    /**
     * Ends a pass without a majority. An attempt that waits begins again after a pause. If so many clusters fail that the others are no
     * majority, it fails, as it does with one cluster.
     */
    private void passFailed() {
        if (!acquireRequest.waits()) {
            fail(clusters.noMajority(
                    acquireRequest.lockId(), failures.values().stream().findFirst()));
        } else if (clusters.size() - failures.size() < clusters.majority()) {
            fail(failures.values().iterator().next());
        } else {
            holding.giveBack();
            beginLater();
        }
    }

    private void beginLater() {
        CompletableFuture<Void> timer = context.timers().afterOrFailed(nextPause);
        Duration twice = nextPause.multipliedBy(2);
        Duration longest = context.settings().longestPause();
        nextPause = twice.compareTo(longest) < 0 ? twice : longest;
        pause = timer;
        timer.whenCompleteAsync(
                (done, failure) -> {
                    pause = null;
                    if (failure == null) {
                        begin();
                    } else {
                        fail(failure);
                    }
                },
                mailbox);
    }

    private void fail(Throwable failure) {
        holding.giveBack();
        outcome.completeExceptionally(failure);
    }
}
