package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.ClusterRequest.Answer;
import io.github.cassandralock.spi.Obstacle;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the lock in a majority of the clusters. It goes through them once, in ascending order, and waits in one cluster at a time.
 * So it waits only above all that it holds, and no cycle of waiting attempts can arise.
 */
final class MajorityWaitingAttempt extends MajorityAttempt {

    /*
     * At any time one of four is under way: a request; a pause; the wait for a majority that counts, during which nothing is
     * held; or nothing, because the attempt has ended.
     */

    private final Runnable clustersChanged = this::clustersChanged;
    private volatile @Nullable CompletableFuture<Void> pause;
    private volatile boolean waitsForMajority;
    private Duration nextPause;

    MajorityWaitingAttempt(Clusters clusters, MajorityContext context, String lockId, String threadId) {
        super(clusters, context, lockId, threadId);
        this.nextPause = context.settings().firstPause();
    }

    @Override
    void start() {
        clusters.onChange(clustersChanged);
        outcome().whenComplete((grant, failure) -> clusters.forget(clustersChanged));
        super.start();
    }

    @Override
    public Optional<Obstacle> obstacle() {
        ClusterRequest present = request();
        if (present != null) {
            return present.obstacle();
        }
        return waitsForMajority
                ? Optional.of(new Obstacle.StoreFails(new IllegalStateException(clusters.state())))
                : Optional.empty();
    }

    @Override
    void stopWaiting() {
        CompletableFuture<Void> pausing = pause;
        if (pausing != null) {
            pausing.complete(null);
        } else if (waitsForMajority) {
            begin();
        } else {
            super.stopWaiting();
        }
    }

    private void clustersChanged() {
        mailbox.execute(this::lookAtClusters);
    }

    private void lookAtClusters() {
        ClusterRequest present = request();
        if (waitsForMajority) {
            begin();
        } else if (present != null && !(clusters.majorityCounts() && clusters.counts(present.cluster()))) {
            present.giveUp();
        }
    }

    /** Begins only when a majority counts; else waits for that, holding nothing. */
    @Override
    void begin() {
        waitsForMajority = false;
        failures.clear();
        if (endsAtOnce()) {
            return;
        }
        if (clusters.majorityCounts()) {
            goUp(0);
        } else {
            waitsForMajority = true;
        }
    }

    /** Requests the lock in the cluster with this number, and waits there for its turn. Skips it if it does not count. */
    private void goUp(int number) {
        if (number == clusters.size()) {
            askSkipped(0);
        } else {
            ClusterWatch cluster = clusters.all().get(number);
            if (clusters.counts(cluster)) {
                follow(ClusterRequest.waits(cluster, lockId, names.next()), () -> goUp(number + 1));
            } else {
                goUp(number + 1);
            }
        }
    }

    /** Tries those that were skipped and count by now, and never waits there: they are below clusters that it holds. */
    private void askSkipped(int number) {
        if (number == 0) {
            holding.dropLostParts();
        }
        if (number == clusters.size()) {
            passFailed();
        } else {
            ClusterWatch cluster = clusters.all().get(number);
            if (clusters.counts(cluster) && !holding.has(cluster)) {
                follow(ClusterRequest.tries(cluster, lockId, names.next(), context), () -> askSkipped(number + 1));
            } else {
                askSkipped(number + 1);
            }
        }
    }

    @Override
    void answered(Answer answer, Runnable next) {
        if (holdsMajority()) {
            grant();
        } else if (!clusters.majorityCounts()) {
            holding.giveBack();
            begin();
        } else {
            next.run();
        }
    }

    /**
     * Begins again after a pause. If so many clusters fail that the others are no majority, the attempt fails, as it does with one
     * cluster.
     */
    @Override
    void passFailed() {
        holding.giveBack();
        if (clusters.size() - failures.size() < clusters.majority()) {
            fail(failures.values().iterator().next());
            return;
        }
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
}
