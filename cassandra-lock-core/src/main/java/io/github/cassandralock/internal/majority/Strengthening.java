package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.ClusterRequest.Answer;
import io.github.cassandralock.internal.time.NextTimer;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Requests the parts that a holder does not have, in the background, without waiting. A bare majority would end with the loss of
 * any of its clusters. Nobody waits for it. Thread-safe.
 */
final class Strengthening {

    private final MajorityGrant grant;
    private final Clusters clusters;
    private final MajorityContext context;
    private final String lockId;
    private final ThreadNames names;
    private final Collection<ClusterRequest> underWay = new ConcurrentLinkedQueue<>();
    private final NextTimer next;

    Strengthening(MajorityGrant grant, Clusters clusters, MajorityContext context, String lockId, ThreadNames names) {
        this.grant = grant;
        this.clusters = clusters;
        this.context = context;
        this.lockId = lockId;
        this.names = names;
        this.next = new NextTimer(context.timers());
    }

    /** If a timer fails, the locks are being closed. */
    void start() {
        next.after(context.settings().firstStrengthening()).thenRun(this::askForMore);
    }

    private void askForMore() {
        if (!next.isClosed() && grant.isValid()) {
            clusters.all().stream()
                    .filter(cluster -> clusters.counts(cluster) && !grant.has(cluster) && !isAsked(cluster))
                    .forEach(this::ask);
            next.after(context.settings().strengthening()).thenRun(this::askForMore);
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
        if (next.isClosed()) {
            request.giveUp();
        }
    }

    private static Optional<Part> part(Answer answer) {
        return answer instanceof Answer.Taken taken ? Optional.of(taken.part()) : Optional.empty();
    }

    /** Ends the requests under way. A part that is granted nevertheless is released. */
    void stop() {
        next.close();
        underWay.forEach(ClusterRequest::giveUp);
    }
}
