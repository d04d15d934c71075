package io.github.cassandralock.internal.majority;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A lock that is held in a majority of the clusters. It is valid while a majority of its parts is. It is lost permanently at the
 * first check that finds no majority (docs/majority.md, section 3). Thread-safe.
 */
final class MajorityGrant implements Grant {

    /*
     * The parts are replaced as a whole. A part taken in the background is added only if, after its grant, the other parts are
     * still a majority. Therefore there has been a majority at every instant.
     */

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    private final Clusters clusters;
    private final MajorityContext context;
    private final AtomicReference<List<Part>> parts;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<LockLoss> lost = new CompletableFuture<>();
    private final Strengthening strengthening;
    private final MajorityToken token;
    private final Runnable lookAtClusters = this::lookAtClusters;

    private MajorityGrant(
            Clusters clusters, MajorityContext context, String lockId, ThreadNames names, List<Part> parts) {
        this.clusters = clusters;
        this.context = context;
        this.parts = new AtomicReference<>(parts);
        this.strengthening = new Strengthening(this, clusters, context, lockId, names);
        this.token = new MajorityToken(clusters, context, lockId, this::isValid);
    }

    /** A grant of these parts, which watches them until it ends. */
    static MajorityGrant started(
            Clusters clusters, MajorityContext context, String lockId, ThreadNames names, List<Part> parts) {
        MajorityGrant grant = new MajorityGrant(clusters, context, lockId, names, parts);
        grant.start();
        return grant;
    }

    private List<Part> parts() {
        return Objects.requireNonNull(parts.get());
    }

    private void start() {
        clusters.onChange(lookAtClusters);
        parts().forEach(this::watch);
        if (context.settings().strengthen()) {
            strengthening.start();
        }
    }

    private void watch(Part part) {
        part.grant().getLoss().thenRun(this::isValid);
    }

    /** Ends the parts in clusters that have become other ones, whatever their leases are. */
    private void lookAtClusters() {
        parts().stream()
                .filter(part -> !part.isOfItsCluster())
                .forEach(part -> part.grant().abandon(part.cluster().forgotten()));
        isValid();
    }

    @Override
    public boolean isValid() {
        while (state.get() == State.HELD) {
            List<Part> seen = parts();
            if (Holding.isMajority(seen, clusters)) {
                return state.get() == State.HELD;
            }
            if (parts() == seen) {
                lose();
            }
        }
        return false;
    }

    private void lose() {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            end();
            lost.complete(new LockLoss(
                    lossOfParts(),
                    "its parts are lost in so many clusters that the others are no majority: " + lostParts() + ". "
                            + clusters.state()));
            Holding.giveBack(parts());
        }
    }

    /** The reason that all lost parts have; otherwise their leases are over, for whatever reasons. */
    private Reason lossOfParts() {
        Set<Reason> reasons = parts().stream()
                .filter(part -> !part.isValid())
                .map(part -> part.end().reason())
                .collect(Collectors.toSet());
        return reasons.size() == 1 ? reasons.iterator().next() : Reason.LEASE_EXPIRED;
    }

    private String lostParts() {
        return parts().stream()
                .filter(part -> !part.isValid())
                .map(part -> "'" + part.cluster().id() + "' (" + part.end() + ")")
                .collect(Collectors.joining(", "));
    }

    private void end() {
        strengthening.stop();
        clusters.forget(lookAtClusters);
    }

    /**
     * Adds a part that was granted in the background, instead of a lost part of its cluster. If the others are no majority without
     * it, the lock is lost, because there was an instant without a majority.
     *
     * @return whether the part is in use now; if not, the caller must release it
     */
    boolean add(Part fresh) {
        while (state.get() == State.HELD) {
            List<Part> seen = parts();
            List<Part> others = seen.stream()
                    .filter(part -> part.cluster() != fresh.cluster())
                    .toList();
            if (Holding.isMajority(others, clusters)) {
                if (parts.compareAndSet(
                        seen, Stream.concat(others.stream(), Stream.of(fresh)).toList())) {
                    replaced(seen, fresh);
                    return state.get() == State.HELD;
                }
            } else if (parts() == seen) {
                lose();
            }
        }
        return false;
    }

    private void replaced(List<Part> before, Part fresh) {
        Holding.giveBack(before.stream()
                .filter(part -> part.cluster() == fresh.cluster())
                .toList());
        watch(fresh);
    }

    /** Whether the lock is held validly in this cluster. */
    boolean has(ClusterWatch cluster) {
        return parts().stream().anyMatch(part -> part.cluster() == cluster && part.isValid());
    }

    @Override
    public CompletionStage<LockLoss> getLoss() {
        return lost;
    }

    @Override
    public CompletionStage<Long> reserveFencingToken() {
        return token.get();
    }

    @Override
    public CompletionStage<Void> watchContention() {
        return CompletableFuture.anyOf(parts().stream()
                        .map(part -> part.grant().watchContention().toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .thenAccept(seen -> {});
    }

    @Override
    public CompletionStage<LockValue> readValue() {
        throw noValue();
    }

    @Override
    public CompletionStage<Void> writeValue(byte[] bytes) {
        throw noValue();
    }

    private static UnsupportedOperationException noValue() {
        return new UnsupportedOperationException(
                "This lock has no value: the algorithm 'majority' keeps none, because a"
                        + " cluster may forget it. Store the data in tables of your own, and check fencing tokens there");
    }

    /** The parts exclude others until the release. */
    @Override
    public void abandon(LockLoss loss) {
        if (state.compareAndSet(State.HELD, State.LOST)) {
            end();
            lost.complete(loss);
        }
    }

    @Override
    public void markFinished() {
        parts().forEach(part -> part.grant().markFinished());
    }

    @Override
    public CompletionStage<Void> keepTaken(Duration atLeast) {
        return isValid() ? finish(part -> part.grant().keepTaken(atLeast)) : release();
    }

    /** Completes even if a cluster does not answer in time. Its part is released in the background. */
    @Override
    public CompletionStage<Void> release() {
        isValid();
        return finish(part -> part.grant().release());
    }

    private CompletionStage<Void> finish(Function<Part, CompletionStage<Void>> how) {
        state.set(State.RELEASED);
        end();
        List<Part> all = parts();
        CompletableFuture<?>[] ends = new CompletableFuture<?>[all.size()];
        for (int last = all.size() - 1; last >= 0; last--) {
            ends[last] = how.apply(all.get(last)).toCompletableFuture();
        }
        return context.within(context.settings().clusterTimeout(), CompletableFuture.allOf(ends))
                .handle((done, tooLate) -> null);
    }
}
