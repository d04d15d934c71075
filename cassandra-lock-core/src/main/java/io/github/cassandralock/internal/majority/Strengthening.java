package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.ClusterRequest.Answer;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Takes the parts that a holder does not have, in the background, and tries only: a bare majority ends with the loss of
 * any of its clusters. Nobody waits for it, and it waits for nobody. Thread-safe.
 */
final class Strengthening {

    private final MajorityGrant grant;
    private final Clusters clusters;
    private final MajorityContext context;
    private final String lockId;
    private final ThreadNames names;
    private final Collection<ClusterRequest> underWay = new ConcurrentLinkedQueue<>();
    private volatile boolean stopped;
    private volatile @Nullable CompletableFuture<Void> pause;

    Strengthening(MajorityGrant grant, Clusters clusters, MajorityContext context, String lockId, ThreadNames names) {
        this.grant = grant;
        this.clusters = clusters;
        this.context = context;
        this.lockId = lockId;
        this.names = names;
    }

    void start() {
        after(context.settings().firstStrengthening());
    }

    /** If a timer fails, the locks are being closed. */
    private void after(Duration delay) {
        CompletableFuture<Void> timer = context.timers().afterOrFailed(delay);
        pause = timer;
        timer.thenRun(this::askForMore);
        if (stopped) {
            timer.cancel(false);
        }
    }

    private void askForMore() {
        if (!stopped && grant.isValid()) {
            clusters.all().stream()
                    .filter(cluster -> clusters.counts(cluster) && !grant.has(cluster) && !isAsked(cluster))
                    .forEach(this::ask);
            after(context.settings().strengthening());
        }
    }

    private boolean isAsked(ClusterWatch cluster) {
        return underWay.stream().anyMatch(request -> request.cluster() == cluster);
    }

    private void ask(ClusterWatch cluster) {
        ClusterRequest request = ClusterRequest.tries(cluster, lockId, names.next(), context);
        underWay.add(request);
        request.answer().thenAccept(answer -> {
            underWay.remove(request);
            part(answer)
                    .filter(part -> !grant.add(part))
                    .ifPresent(part -> part.grant().release());
        });
        if (stopped) {
            request.giveUp();
        }
    }

    private static Optional<Part> part(Answer answer) {
        return answer instanceof Answer.Taken taken ? Optional.of(taken.part()) : Optional.empty();
    }

    /** Gives up what is under way; a part that is granted nevertheless is given back. */
    void stop() {
        stopped = true;
        CompletableFuture<Void> present = pause;
        if (present != null) {
            present.cancel(false);
        }
        underWay.forEach(ClusterRequest::giveUp);
    }
}
