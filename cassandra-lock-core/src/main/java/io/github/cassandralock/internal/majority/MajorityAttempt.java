package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.Asking.Answer;
import io.github.cassandralock.internal.steps.Mailbox;
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
 * Waits for the lock in a majority of the clusters (docs/majority.md, section 3). It goes through them once, in
 * ascending order, and waits in one cluster at a time. So it waits only above all that it holds, and no circle of
 * waiting attempts can arise.
 */
final class MajorityAttempt implements Attempt {

    /*
     * Only tasks of the mailbox change the fields. At any time one of four is under way: an asking; a pause; the wait
     * for a majority that counts, during which nothing is held; or nothing, because the attempt has ended.
     */

    private final MajorityAlgorithm algorithm;
    private final Clusters clusters;
    private final MajorityContext context;
    private final String lockId;
    private final ThreadNames names;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Mailbox mailbox = new Mailbox();
    private final Runnable clustersChanged = this::clustersChanged;
    private final Holding holding = new Holding();
    private final Map<ClusterWatch, Throwable> failures = new LinkedHashMap<>();
    private volatile @Nullable Asking asking;
    private volatile @Nullable CompletableFuture<Void> pause;
    private volatile boolean waitsForMajority;
    private Duration nextPause;
    private boolean givenUp;

    MajorityAttempt(MajorityAlgorithm algorithm, String lockId, String threadId) {
        this.algorithm = algorithm;
        this.clusters = algorithm.clusters();
        this.context = algorithm.context();
        this.lockId = lockId;
        this.names = new ThreadNames(threadId);
        this.nextPause = context.settings().firstPause();
    }

    void start() {
        clusters.onChange(clustersChanged);
        outcome.whenComplete((grant, failure) -> clusters.forget(clustersChanged));
        mailbox.execute(this::begin);
    }

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public Optional<Obstacle> obstacle() {
        Asking present = asking;
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
        Asking present = asking;
        CompletableFuture<Void> pausing = pause;
        if (present != null) {
            present.giveUp();
        } else if (pausing != null) {
            pausing.complete(null);
        } else if (waitsForMajority) {
            begin();
        }
    }

    private void clustersChanged() {
        mailbox.execute(this::lookAtClusters);
    }

    private void lookAtClusters() {
        Asking present = asking;
        if (waitsForMajority) {
            begin();
        } else if (present != null && !(clusters.majorityCounts() && clusters.counts(present.cluster()))) {
            present.giveUp();
        }
    }

    /** Begins only when a majority counts; else waits for that, holding nothing. */
    private void begin() {
        waitsForMajority = false;
        failures.clear();
        Optional<RuntimeException> refusal = algorithm.refusal(lockId);
        if (outcome.isDone()) {
            return;
        }
        if (givenUp) {
            end(new CancellationException("the caller gave up"));
        } else if (refusal.isPresent()) {
            end(refusal.get());
        } else if (clusters.majorityCounts()) {
            goUp(0);
        } else {
            waitsForMajority = true;
        }
    }

    /** Asks the cluster with this number, and waits there for its turn. Skips it if it does not count. */
    private void goUp(int number) {
        if (number == clusters.size()) {
            askSkipped(0);
        } else {
            ClusterWatch cluster = clusters.all().get(number);
            if (clusters.counts(cluster)) {
                follow(Asking.waiting(cluster, lockId, names.next()), () -> goUp(number + 1));
            } else {
                goUp(number + 1);
            }
        }
    }

    /** Asks those that were skipped and count by now, and never waits there: they are below clusters that it holds. */
    private void askSkipped(int number) {
        if (number == 0) {
            holding.dropLostParts();
        }
        if (number == clusters.size()) {
            pauseAndBeginAgain();
        } else {
            ClusterWatch cluster = clusters.all().get(number);
            if (clusters.counts(cluster) && !holding.has(cluster)) {
                follow(Asking.soft(cluster, lockId, names.next(), context), () -> askSkipped(number + 1));
            } else {
                askSkipped(number + 1);
            }
        }
    }

    private void follow(Asking begun, Runnable next) {
        asking = begun;
        begun.answer()
                .thenAcceptAsync(
                        answer -> {
                            asking = null;
                            answered(begun.cluster(), answer, next);
                        },
                        mailbox);
    }

    private void answered(ClusterWatch cluster, Answer answer, Runnable next) {
        failures.remove(cluster);
        if (answer instanceof Answer.Taken taken) {
            holding.add(taken.part());
        } else if (answer instanceof Answer.Missed missed) {
            missed.failure().ifPresent(failure -> failures.put(cluster, failure));
        }
        if (givenUp) {
            holding.giveBack();
            end(new CancellationException("the caller gave up"));
        } else if (Holding.isMajority(holding.parts(), clusters)) {
            granted();
        } else if (!clusters.majorityCounts()) {
            holding.giveBack();
            begin();
        } else {
            next.run();
        }
    }

    private void granted() {
        MajorityGrant grant = algorithm.granted(lockId, names, holding.parts());
        if (grant.isValid()) {
            outcome.complete(Optional.of(grant));
        } else {
            pauseAndBeginAgain();
        }
    }

    /** If so many clusters fail that the others are no majority, the attempt fails, as it does with one cluster. */
    private void pauseAndBeginAgain() {
        holding.giveBack();
        if (clusters.size() - failures.size() < clusters.majority()) {
            end(failures.values().iterator().next());
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
                        end(failure);
                    }
                },
                mailbox);
    }

    private void end(Throwable failure) {
        outcome.completeExceptionally(failure);
    }
}
