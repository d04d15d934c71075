package io.github.cassandralock.internal.majority;

import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.Obstacle;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request for the lock in one cluster. A part counts only after the guard: the birth row is read again after the grant.
 * Therefore a grant by tables that have lost other grants is released. Thread-safe.
 */
final class ClusterRequest {

    /** The end of a request. */
    sealed interface Answer {

        record Taken(Part part) implements Answer {}

        /** Another thread has the lock there. Only for a request that does not wait. */
        record Refused() implements Answer {}

        /**
         * The cluster grants no part now.
         *
         * @param failure of the algorithm; empty if the request was ended, the cluster did not count, or the guard failed
         */
        record Missed(Optional<Throwable> failure) implements Answer {}
    }

    private static final Answer.Missed GIVEN_UP = new Answer.Missed(Optional.empty());

    private final ClusterWatch cluster;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private volatile @Nullable Attempt attempt;

    private ClusterRequest(ClusterWatch cluster) {
        this.cluster = cluster;
    }

    /**
     * Waits for the lock in this cluster.
     *
     * @param threadId used for no other request: a late release of an earlier request would free the lock of this request
     */
    static ClusterRequest waits(ClusterWatch cluster, String lockId, String threadId) {
        ClusterRequest request = new ClusterRequest(cluster);
        request.begin(AcquireRequest.waits(lockId, threadId));
        return request;
    }

    /**
     * Requests the lock in this cluster if it is free there. Ends the request after the node timeout.
     *
     * @param threadId used for no other request
     */
    static ClusterRequest tries(ClusterWatch cluster, String lockId, String threadId, MajorityContext context) {
        ClusterRequest request = new ClusterRequest(cluster);
        CompletableFuture<Void> timer =
                context.timers().afterOrFailed(context.settings().clusterTimeout());
        request.answer.whenComplete((answered, failure) -> timer.cancel(false));
        timer.whenComplete((done, ended) -> request.giveUp());
        request.begin(AcquireRequest.tries(lockId, threadId));
        return request;
    }

    private void begin(AcquireRequest asked) {
        ClusterView before = cluster.view();
        if (!before.isMature()) {
            answer.complete(GIVEN_UP);
            return;
        }
        Attempt begun;
        try {
            begun = cluster.algorithm().acquire(asked);
        } catch (RuntimeException | Error e) {
            answer.complete(new Answer.Missed(Optional.of(e)));
            return;
        }
        attempt = begun;
        if (answer.isDone()) {
            begun.giveUp();
        }
        begun.getOutcome().whenComplete((granted, failure) -> ended(before, granted, failure));
    }

    private void ended(ClusterView before, @Nullable Optional<Grant> granted, @Nullable Throwable failure) {
        if (granted == null) {
            answer.complete(new Answer.Missed(
                    Optional.ofNullable(failure).filter(cause -> !(cause instanceof CancellationException))));
        } else if (granted.isEmpty()) {
            answer.complete(new Answer.Refused());
        } else if (answer.isDone()) {
            granted.get().release();
        } else {
            guard(before, granted.get());
        }
    }

    private void guard(ClusterView before, Grant grant) {
        cluster.isStill(before).whenComplete((still, failure) -> {
            boolean same = failure == null && still;
            Answer guarded = same ? new Answer.Taken(new Part(cluster, grant, before.epoch())) : GIVEN_UP;
            if (!answer.complete(guarded) || !(guarded instanceof Answer.Taken)) {
                grant.release();
            }
        });
    }

    ClusterWatch cluster() {
        return cluster;
    }

    /** Completes, never exceptionally. */
    CompletableFuture<Answer> answer() {
        return answer;
    }

    Optional<Obstacle> obstacle() {
        return Optional.ofNullable(attempt).flatMap(Attempt::getObstacle);
    }

    /** Ends the request at once. A later grant is released. */
    void giveUp() {
        answer.complete(GIVEN_UP);
        Attempt present = attempt;
        if (present != null) {
            present.giveUp();
        }
    }
}
