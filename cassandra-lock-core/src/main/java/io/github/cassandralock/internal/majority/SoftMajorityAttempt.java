package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.majority.Asking.Answer;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes the lock in a majority of the clusters if it is free (docs/majority.md, section 3): softly, in ascending
 * order, one cluster after the other, until one refuses. All who see the same clusters meet in the same first one,
 * which gives its part to one of them, and nobody else goes on.
 */
final class SoftMajorityAttempt implements Attempt {

    /* Only tasks of the mailbox change the fields. */

    private final MajorityAlgorithm algorithm;
    private final Clusters clusters;
    private final MajorityContext context;
    private final String lockId;
    private final ThreadNames names;
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();
    private final Mailbox mailbox = new Mailbox();
    private final Holding holding = new Holding();
    private @Nullable Asking asking;
    private @Nullable Throwable failure;
    private boolean givenUp;

    SoftMajorityAttempt(MajorityAlgorithm algorithm, String lockId, String threadId) {
        this.algorithm = algorithm;
        this.clusters = algorithm.clusters();
        this.context = algorithm.context();
        this.lockId = lockId;
        this.names = new ThreadNames(threadId);
    }

    void start() {
        mailbox.execute(this::begin);
    }

    /** Asks nobody if it cannot win. */
    private void begin() {
        Optional<RuntimeException> refusal = algorithm.refusal(lockId);
        if (refusal.isPresent()) {
            outcome.completeExceptionally(refusal.get());
        } else if (clusters.majorityCounts()) {
            ask(0);
        } else {
            outcome.completeExceptionally(algorithm.noMajority(lockId, null));
        }
    }

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return outcome;
    }

    @Override
    public void giveUp() {
        mailbox.execute(() -> {
            givenUp = true;
            if (asking != null) {
                asking.giveUp();
            }
        });
    }

    /** Asks the cluster with this number; skips it if it does not count. */
    private void ask(int number) {
        if (number == clusters.size()) {
            holding.giveBack();
            outcome.completeExceptionally(algorithm.noMajority(lockId, failure));
            return;
        }
        ClusterWatch cluster = clusters.all().get(number);
        if (clusters.counts(cluster)) {
            Asking begun = Asking.soft(cluster, lockId, names.next(), context);
            asking = begun;
            begun.answer()
                    .thenAcceptAsync(
                            answer -> {
                                asking = null;
                                answered(answer, number);
                            },
                            mailbox);
        } else {
            ask(number + 1);
        }
    }

    private void answered(Answer answer, int number) {
        if (answer instanceof Answer.Taken taken) {
            holding.add(taken.part());
        } else if (answer instanceof Answer.Missed missed) {
            failure = missed.failure().orElse(failure);
        }
        if (givenUp) {
            holding.giveBack();
            outcome.completeExceptionally(new CancellationException("the caller gave up"));
        } else if (answer instanceof Answer.Refused) {
            holding.giveBack();
            outcome.complete(Optional.empty());
        } else if (Holding.isMajority(holding.parts(), clusters)) {
            granted();
        } else {
            ask(number + 1);
        }
    }

    private void granted() {
        MajorityGrant grant = algorithm.granted(lockId, names, holding.parts());
        if (grant.isValid()) {
            outcome.complete(Optional.of(grant));
        } else {
            outcome.completeExceptionally(algorithm.noMajority(lockId, failure));
        }
    }
}
