package io.github.cassandralock.internal.majority;

import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.internal.store.RefusedRequestException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All clusters, in the order in which every process takes them. Thread-safe. */
final class Clusters {

    private static final Set<Integer> SIZES = Set.of(3, 5);

    private static final Logger log = LoggerFactory.getLogger(Clusters.class);

    private final AtomicReference<String> said = new AtomicReference<>("");
    private final List<ClusterWatch> watches;
    private final int majority;
    private final Collection<Runnable> listeners = new ConcurrentLinkedQueue<>();

    /** Whether two entries were seen to lead to one cluster. A cluster that is emptied no longer shows that. */
    private volatile boolean oneClusterTwice;

    private volatile boolean closed;

    /**
     * @throws IllegalArgumentException unless there are three or five clusters with different ids
     */
    Clusters(List<Cluster> clusters, MajorityContext context) {
        List<String> ids = clusters.stream().map(Cluster::id).toList();
        requireMajorities(ids);
        this.watches = clusters.stream()
                .map(cluster ->
                        new ClusterWatch(cluster, context, context.settings().agreement(ids, cluster.id()), this))
                .toList();
        this.majority = clusters.size() / 2 + 1;
    }

    private static void requireMajorities(List<String> ids) {
        if (!SIZES.contains(ids.size())) {
            throw new IllegalArgumentException("A majority needs 3 or 5 clusters, and there are " + ids.size() + " ("
                    + String.join(", ", ids)
                    + "). Fewer than three survive no loss. An even number survives no more losses than one less. With"
                    + " more than five, each lock would have to be taken in too many");
        }
        if (Set.copyOf(ids).size() < ids.size()) {
            throw new IllegalArgumentException("Each cluster of a majority needs an id of its own: " + ids);
        }
    }

    void start() {
        watches.forEach(ClusterWatch::start);
    }

    /** Closes: {@link #whyNone} refuses all locks from now on. */
    void close() {
        closed = true;
        watches.forEach(ClusterWatch::close);
        changed();
    }

    boolean isClosed() {
        return closed;
    }

    List<ClusterWatch> all() {
        return watches;
    }

    int majority() {
        return majority;
    }

    int size() {
        return watches.size();
    }

    /** Runs the listener after each change of a view. It must not block, and may be called from any thread. */
    void onChange(Runnable listener) {
        listeners.add(listener);
    }

    void forget(Runnable listener) {
        listeners.remove(listener);
    }

    /** Whether the cluster answers, is mature, and agrees with all others. */
    boolean counts(ClusterWatch watch) {
        return watch.view().isMature() && misconfiguration().isEmpty();
    }

    boolean majorityCounts() {
        return misconfiguration().isEmpty()
                && watches.stream().filter(watch -> watch.view().isMature()).count() >= majority;
    }

    /**
     * Whether this process may write birth rows. Its agreement would stop all processes with another configuration, so it writes
     * none if it has seen such an agreement. A majority must answer first. Therefore at least one of these clusters has a birth
     * row, unless a majority is empty.
     */
    boolean birthsAllowed() {
        long answering =
                watches.stream().filter(watch -> watch.view().answers()).count();
        return answering >= majority && misconfiguration().isEmpty() && !oneClusterTwice;
    }

    /**
     * Why no process may take a lock by this configuration; empty if it is sound. Then not even the other clusters count, since
     * majorities of different lists need not have a cluster in common.
     */
    Optional<String> misconfiguration() {
        return twoEntriesForOneCluster().or(this::anotherAgreement);
    }

    /** The id in the birth row shows it earlier than the incarnation, which both entries must read. */
    private Optional<String> twoEntriesForOneCluster() {
        return firstPair((one, other) -> isTheSame(one, other) || isNamed(one, other) || isNamed(other, one))
                .map(pair -> "The clusters '" + pair.one().id() + "' and '"
                        + pair.other().id()
                        + "' are one cluster, with one set of lock tables, or their entries are exchanged. A"
                        + " majority would be no majority, or processes would wait for each other. Check the"
                        + " contact points and keyspaces of both (cassandra-lock.majority.clusters). If the"
                        + " settings of this process are right, correct the other processes. Then drop the"
                        + " tables lock_slots and lock_sessions in both clusters");
    }

    /** Two entries, in the order of the list. */
    private record Pair(ClusterWatch one, ClusterWatch other) {}

    private Optional<Pair> firstPair(BiPredicate<ClusterWatch, ClusterWatch> wanted) {
        return watches.stream()
                .flatMap(one -> watches.stream()
                        .skip(watches.indexOf(one) + 1L)
                        .filter(other -> wanted.test(one, other))
                        .map(other -> new Pair(one, other)))
                .findFirst();
    }

    private Optional<String> anotherAgreement() {
        return watches.stream()
                .filter(ClusterWatch::isOfAnotherAgreement)
                .findFirst()
                .map(watch -> "In the cluster '" + watch.id() + "', other processes have the configuration '"
                        + watch.foundAgreement() + "', and this process has '" + watch.agreement()
                        + "'. If this process is wrong, correct its configuration (cassandra-lock.majority), and start"
                        + " it again. If the configuration is to change for all, stop all applications. Drop the tables"
                        + " lock_slots and lock_sessions in all clusters, old and new. Then start the applications with"
                        + " the new configuration");
    }

    private static boolean isTheSame(ClusterWatch one, ClusterWatch other) {
        Optional<UUID> incarnation = one.view().incarnation();
        return incarnation.isPresent() && incarnation.equals(other.view().incarnation());
    }

    /** Whether the first entry leads to a cluster with the id of the second. */
    private static boolean isNamed(ClusterWatch one, ClusterWatch other) {
        return one.foundAgreement().equals(other.agreement());
    }

    /** A refusal in so many clusters that no majority can count before an operator removes the cause. */
    private Optional<RefusedRequestException> refusal() {
        List<RefusedRequestException> refusals = watches.stream()
                .map(watch -> watch.view().refusal())
                .flatMap(Optional::stream)
                .toList();
        return watches.size() - refusals.size() < majority ? Optional.of(refusals.get(0)) : Optional.empty();
    }

    /** Why nobody can have this lock, even after a wait. Empty if a wait may help. */
    Optional<RuntimeException> whyNone(String lockId) {
        if (closed) {
            return Optional.of(new IllegalStateException("Lock '" + lockId
                    + "' was not granted: the application shuts down, and the algorithm 'majority' has ended"));
        }
        return misconfiguration()
                .<RuntimeException>map(
                        text -> new IllegalStateException("Lock '" + lockId + "' could not be taken. " + text))
                .or(this::refusal);
    }

    RuntimeException noMajority(String lockId, Optional<Throwable> failure) {
        String state = state();
        return new LockStoreException(
                lockId,
                "Lock '" + lockId + "' could not be taken, because too few clusters answered: " + state
                        + ". Nothing is held; check the clusters and try again",
                failure.orElseGet(() -> new IllegalStateException(state)));
    }

    /** How many clusters count, and why the others do not, for people. */
    String state() {
        long counting =
                watches.stream().filter(watch -> watch.view().isMature()).count();
        return misconfiguration()
                .orElseGet(() -> counting + " of " + watches.size() + " clusters count, and locks need " + majority
                        + watches.stream()
                                .filter(watch -> !watch.view().isMature())
                                .map(watch -> "; '" + watch.id() + "' " + why(watch.view()))
                                .collect(Collectors.joining()));
    }

    private static String why(ClusterView view) {
        Throwable failure = view.failure();
        if (!view.answers()) {
            return "does not answer" + (failure == null ? " yet" : " (" + failure.getMessage() + ")");
        }
        Throwable notWritten = view.notWritten();
        return (view.birth() == null ? "has no birth row yet" : "is young: it has forgotten its tables, or is new")
                + (notWritten == null ? "" : " (it could not be written: " + notWritten.getMessage() + ")");
    }

    List<ClusterState> states() {
        return watches.stream()
                .map(watch -> new ClusterState(watch.id(), counts(watch), text(watch.view())))
                .toList();
    }

    private static String text(ClusterView view) {
        Birth birth = view.birth();
        return view.isMature() && birth != null
                ? birth.maturity() == Maturity.TOKEN_MATURE
                        ? "counts"
                        : "counts; fencing tokens are not read from it yet"
                : why(view);
    }

    void changed() {
        if (firstPair(Clusters::isTheSame).isPresent()) {
            oneClusterTwice = true;
        }
        sayIfMisconfigured();
        listeners.forEach(Runnable::run);
    }

    private void sayIfMisconfigured() {
        String text = misconfiguration().orElse("");
        if (!text.equals(said.getAndSet(text)) && !text.isEmpty()) {
            log.error("No lock can be taken. {}", text);
        }
    }

    /**
     * Detects the first installation. If all clusters were young at one instant, none had ever counted, unless more than a minority
     * has forgotten something. Therefore no holder has shown a token before. The instant is when the last incarnation was first
     * seen. A later read shows each incarnation still young.
     */
    void findFirstInstallation() {
        List<ClusterView> views = watches.stream().map(ClusterWatch::view).toList();
        if (views.stream().allMatch(ClusterView::isYoung)) {
            long instant = views.stream()
                    .mapToLong(ClusterView::firstSeen)
                    .reduce(Clusters::later)
                    .orElseThrow();
            if (views.stream().allMatch(view -> view.lastBegan() - instant >= 0)) {
                watches.forEach(watch -> watch.view().incarnation().ifPresent(watch::bornWithAll));
            }
        }
    }

    private static long later(long one, long other) {
        return one - other >= 0 ? one : other;
    }
}
