package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.LockSlots;
import io.github.cassandralock.internal.text.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fencing token of one grant (docs/majority.md, section 5). It is read above the registers of a majority, after the grant. A
 * majority acknowledges it before the grant is checked and the token shown. Therefore every later holder reads the token.
 * Thread-safe.
 */
final class MajorityToken {

    /** A cluster in its state when the request was sent. */
    private record Seen(ClusterWatch cluster, ClusterView view) {}

    private final Clusters clusters;
    private final MajorityContext context;
    private final String lockId;
    private final BooleanSupplier valid;
    private final Mailbox mailbox = new Mailbox();

    /** Used by tasks of the mailbox only. */
    private @Nullable CompletableFuture<Long> present;

    /** @param valid whether the grant is valid */
    MajorityToken(Clusters clusters, MajorityContext context, String lockId, BooleanSupplier valid) {
        this.clusters = clusters;
        this.context = context;
        this.lockId = lockId;
        this.valid = valid;
    }

    /** Draws the token at the first call, and again after a failure. */
    CompletionStage<Long> get() {
        return CompletableFuture.supplyAsync(this::drawnOnce, mailbox).thenCompose(Function.identity());
    }

    private CompletableFuture<Long> drawnOnce() {
        CompletableFuture<Long> drawn = present;
        if (drawn == null || drawn.isCompletedExceptionally()) {
            drawn = draw().toCompletableFuture();
            present = drawn;
        }
        return drawn;
    }

    /**
     * Draws a token. The incarnations are recorded before the grant is checked, and used for reads and writes. Therefore the
     * writer of a value in a register held a valid lock after the birth of that incarnation.
     */
    private CompletionStage<Long> draw() {
        List<Seen> noted = clusters.all().stream()
                .map(cluster -> new Seen(cluster, cluster.view()))
                .toList();
        requireValid();
        return read(noted).thenCompose(values -> {
            long next = next(values);
            return write(noted, next).thenApply(done -> shown(next));
        });
    }

    /** Step 1: reads the registers of a majority of clusters that are old enough. */
    private CompletionStage<List<OptionalLong>> read(List<Seen> noted) {
        return ofMajority(
                noted.stream().filter(seen -> seen.view().isTokenMature()).toList(),
                (cluster, incarnation) -> cluster.tokens().read(lockId, incarnation),
                "have been watched for long enough. A cluster that has lost its tables takes part in fencing tokens"
                        + " when it has been watched for "
                        + DurationText.of(context.settings().tokenRipening()));
    }

    /**
     * Step 2: determines a number above all of them. It is also above the calendar's floor if one of the registers may have expired
     * or been lost.
     */
    private long next(List<OptionalLong> values) {
        long floor = values.stream().allMatch(OptionalLong::isPresent)
                ? 0
                : LockSlots.tokenFloor(context.wallClock().readMicros());
        return 1 + values.stream().mapToLong(value -> value.orElse(0)).reduce(floor, Math::max);
    }

    /** Step 3: writes the number until a majority has acknowledged it, including young clusters. */
    private CompletionStage<List<Boolean>> write(List<Seen> noted, long next) {
        return ofMajority(
                noted.stream()
                        .filter(seen -> seen.view().incarnation().isPresent())
                        .toList(),
                (cluster, incarnation) ->
                        cluster.tokens().raise(lockId, incarnation, next).thenApply(done -> true),
                "answer");
    }

    /** Step 4: checks the grant. A later holder has read, or will read, the number only if the grant is still valid. */
    private long shown(long next) {
        requireValid();
        return next;
    }

    private void requireValid() {
        if (!valid.getAsBoolean()) {
            throw new IllegalStateException(
                    "the lock was lost or released before its fencing token could be shown; take it again");
        }
    }

    /**
     * Sends a request to each of these clusters. The guard follows each answer.
     *
     * @param condition which clusters get the request, for people
     * @return completes with the first answers of a majority of all clusters
     */
    private <T> CompletionStage<List<T>> ofMajority(
            List<Seen> asked, BiFunction<ClusterWatch, UUID, CompletionStage<T>> request, String condition) {
        Answers<T> answers = new Answers<>(clusters.majority(), asked.size(), condition);
        if (asked.size() < clusters.majority()) {
            answers.tooFew(null);
        }
        asked.forEach(seen -> guarded(seen, request)
                .whenCompleteAsync((answer, failure) -> answers.add(answer, failure), answers.mailbox));
        return answers.result;
    }

    private <T> CompletionStage<T> guarded(Seen seen, BiFunction<ClusterWatch, UUID, CompletionStage<T>> request) {
        ClusterWatch cluster = seen.cluster();
        CompletionStage<T> sent = Operation.begin(
                () -> request.apply(cluster, seen.view().incarnation().orElseThrow()));
        return context.within(context.settings().lease(), sent)
                .thenCompose(answer -> cluster.isStill(seen.view()).thenApply(still -> {
                    if (!still) {
                        throw new IllegalStateException(cluster.forgotten().text());
                    }
                    return answer;
                }));
    }

    /** Changed by tasks of its mailbox only. */
    private final class Answers<T> {

        private final Mailbox mailbox = new Mailbox();
        private final CompletableFuture<List<T>> result = new CompletableFuture<>();
        private final List<T> received = new ArrayList<>();
        private final int needed;
        private final String condition;
        private int open;

        Answers(int needed, int open, String condition) {
            this.needed = needed;
            this.open = open;
            this.condition = condition;
        }

        void add(T answer, @Nullable Throwable failure) {
            open--;
            if (failure == null) {
                received.add(answer);
            }
            if (received.size() == needed) {
                result.complete(List.copyOf(received));
            } else if (received.size() + open < needed) {
                tooFew(failure);
            }
        }

        void tooFew(@Nullable Throwable failure) {
            result.completeExceptionally(new IllegalStateException(
                    "no fencing token can be shown for lock '" + lockId + "': fewer than " + needed + " clusters "
                            + condition + ". " + clusters.state() + "; try again later, or release the lock",
                    failure));
        }
    }
}
