package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the birth row of one cluster again and again: whether the cluster answers, whether it is still the one that
 * it was, and whether it is old enough to count (docs/majority.md, sections 2 and 4). Thread-safe.
 */
final class ClusterWatch {

    /*
     * Only tasks of the mailbox change the fields. An incarnation that was seen by a read that had ended at one
     * instant, and by another one later, was there in between, because each has a name that is used once. So an age
     * needs no watch without gaps.
     */

    private static final Logger log = LoggerFactory.getLogger(ClusterWatch.class);

    /**
     * What is known about the cluster.
     *
     * @param birth the last birth row that was read; null if there was none, or nothing was read yet
     * @param epoch how often this process has seen the cluster become another one; an epoch never returns
     * @param answers whether the last answer is young enough
     * @param shown whether a read that began within the last lease has shown this epoch
     * @param firstSeen when the first read that showed this incarnation had ended
     * @param lastBegan when the last read that had an answer began; when the watch was created, if there was none
     * @param failure why the last read failed; null if it succeeded
     * @param notWritten why the birth row could not be written, or made more mature, since it is as it is
     */
    record View(
            @Nullable Birth birth,
            int epoch,
            boolean answers,
            boolean shown,
            long firstSeen,
            long lastBegan,
            @Nullable Throwable failure,
            @Nullable Throwable notWritten) {

        /** Before the first answer. */
        static View unknown(long now) {
            return new View(null, 0, false, false, now, now, null, null);
        }

        View notWritten(@Nullable Throwable why) {
            return new View(birth, epoch, answers, shown, firstSeen, lastBegan, failure, why);
        }

        boolean isYoung() {
            return birth != null && birth.maturity() == Maturity.YOUNG;
        }

        boolean isMature() {
            return answers && birth != null && birth.maturity().isAtLeast(Maturity.MATURE);
        }

        boolean isTokenMature() {
            return isMature() && birth != null && birth.maturity().isAtLeast(Maturity.TOKEN_MATURE);
        }

        boolean saysTheSameAs(View other) {
            return answers == other.answers
                    && shown == other.shown
                    && epoch == other.epoch
                    && isAlike(failure, other.failure)
                    && isAlike(notWritten, other.notWritten)
                    && Objects.equals(birth, other.birth);
        }

        private static boolean isAlike(@Nullable Throwable one, @Nullable Throwable other) {
            if (one == null || other == null) {
                return one == other;
            }
            return RefusedRequestException.in(one).isPresent()
                    == RefusedRequestException.in(other).isPresent();
        }

        /** A refusal that stays until somebody removes its cause. */
        Optional<RefusedRequestException> refusal() {
            return Optional.ofNullable(failure)
                    .flatMap(RefusedRequestException::in)
                    .or(() -> Optional.ofNullable(notWritten).flatMap(RefusedRequestException::in));
        }

        Optional<UUID> incarnation() {
            return Optional.ofNullable(birth).map(Birth::incarnation);
        }
    }

    /** What a watch has to know of the other clusters, and what they have to know of it. No method blocks. */
    interface Others {

        /** Whether this process may write the birth row of a cluster that has none. */
        boolean allowBirth();

        /** Called after each read that shows something else than the one before. */
        void changed();

        /** Called after each read that shows a young cluster. */
        void seenYoung();
    }

    private final Cluster cluster;
    private final MajorityContext context;
    private final String agreement;
    private final Others others;
    private final Mailbox mailbox = new Mailbox();
    private volatile View view;
    private volatile boolean closed;
    private volatile @Nullable CompletableFuture<Void> pause;
    private long lastAnswer;
    private boolean writing;
    private long lastWrite;

    /** Was refused, so that its incarnation is not used: it is written again, and leaves one mark only. */
    private @Nullable Birth refused;

    /** The incarnation that was born together with those of all other clusters: nobody had a lock before. */
    private volatile @Nullable UUID bornWithAll;

    /** @param agreement what the birth row has to say */
    ClusterWatch(Cluster cluster, MajorityContext context, String agreement, Others others) {
        this.cluster = cluster;
        this.context = context;
        this.agreement = agreement;
        this.others = others;
        this.view = View.unknown(context.ticker().nanos());
    }

    void start() {
        mailbox.execute(() -> {
            lastAnswer = context.ticker().nanos();
            look();
        });
    }

    /** Ends the watch. */
    void close() {
        closed = true;
        CompletableFuture<Void> present = pause;
        if (present != null) {
            present.cancel(false);
        }
    }

    String id() {
        return cluster.id();
    }

    LockAlgorithm algorithm() {
        return cluster.algorithm();
    }

    TokenRegister tokens() {
        return cluster.tokens();
    }

    View view() {
        return view;
    }

    /**
     * Whether a read that began within the last lease has shown the cluster in this epoch. If it has forgotten its
     * tables, that was later, so nobody counts it again by now.
     */
    boolean hasShown(int epoch) {
        View present = view;
        return present.epoch() == epoch && isYoungerThanALease(present.lastBegan());
    }

    private boolean isYoungerThanALease(long instant) {
        return context.ticker().nanos() - instant < context.settings().lease().toNanos();
    }

    /** Whether a read has shown a birth row or has failed, or has shown that there is none, and none is written. */
    boolean wasSeen() {
        View present = view;
        return present.birth() != null
                || present.failure() != null
                || present.notWritten() != null
                || (present.answers() && !others.allowBirth());
    }

    /** What the birth row has to say. */
    String agreement() {
        return agreement;
    }

    /** What it says; empty if there is none. */
    String foundAgreement() {
        Birth birth = view.birth();
        return birth == null ? "" : birth.agreement();
    }

    boolean isOfAnotherAgreement() {
        Birth birth = view.birth();
        return birth != null && !birth.agreement().equals(agreement);
    }

    /** Says that this incarnation was young at an instant at which those of all other clusters were, too. */
    void bornWithAll(UUID incarnation) {
        bornWithAll = incarnation;
    }

    /**
     * The guard: whether the cluster is the one that it was in this view, by a read that begins now.
     *
     * @return completes exceptionally if there is no answer in time
     */
    CompletionStage<Boolean> isStill(View earlier) {
        long began = context.ticker().nanos();
        return context.within(context.settings().nodeTimeout(), Operation.begin(cluster.births()::read))
                .thenApply(birth -> {
                    boolean same = earlier.epoch() == view.epoch()
                            && birth.map(Birth::incarnation).equals(earlier.incarnation());
                    if (!same) {
                        mailbox.execute(() -> answered(birth, began));
                    }
                    return same;
                });
    }

    private void look() {
        if (closed) {
            return;
        }
        long began = context.ticker().nanos();
        context.within(context.settings().nodeTimeout(), Operation.begin(cluster.births()::read))
                .whenCompleteAsync(
                        (birth, failure) -> {
                            if (failure == null) {
                                answered(birth, began);
                                lookAgainAfter(
                                        birth.isEmpty() && view.notWritten() == null
                                                ? context.settings().retry()
                                                : context.settings().watchInterval());
                            } else {
                                unanswered(failure);
                                lookAgainAfter(context.settings().retry());
                            }
                        },
                        mailbox);
    }

    /** If a timer fails, the locks are being closed. */
    private void lookAgainAfter(Duration delay) {
        CompletableFuture<Void> timer = context.timers().afterOrFailed(delay);
        pause = timer;
        timer.thenRunAsync(this::look, mailbox);
        if (closed) {
            timer.cancel(false);
        }
    }

    private void unanswered(Throwable failure) {
        boolean inTime = context.ticker().nanos() - lastAnswer
                < context.settings().patience().toNanos();
        View before = view;
        become(new View(
                before.birth(),
                before.epoch(),
                before.answers() && inTime,
                before.shown() && isYoungerThanALease(before.lastBegan()),
                before.firstSeen(),
                before.lastBegan(),
                failure,
                before.notWritten()));
    }

    /** A read that began before the last one whose answer is known says nothing new: a guard may be late. */
    private void answered(Optional<Birth> birth, long began) {
        View before = view;
        if (began - before.lastBegan() < 0) {
            return;
        }
        lastAnswer = context.ticker().nanos();
        boolean same = birth.map(Birth::incarnation).equals(before.incarnation());
        boolean another = before.birth() != null && !same;
        become(new View(
                birth.orElse(null),
                another ? before.epoch() + 1 : before.epoch(),
                true,
                true,
                same ? before.firstSeen() : lastAnswer,
                began,
                null,
                birth.equals(Optional.ofNullable(before.birth())) ? before.notWritten() : null));
        if (another) {
            log.warn(
                    "The cluster '{}' has forgotten its tables: the parts of locks that were held there are lost, and it does not"
                            + " count before it has been watched for {}",
                    id(),
                    DurationText.of(context.settings().ripening()));
            algorithm().renounce(forgotten());
        }
        if (birth.isPresent()) {
            ripen(birth.get());
        } else if (others.allowBirth()) {
            bear();
        }
    }

    /** A birth that was refused is written again. Any other may have been seen, and is not used twice. */
    private void bear() {
        Birth fresh = refused == null ? new Birth(context.ids().get(), agreement, Maturity.YOUNG) : refused;
        write(
                () -> {
                    refused = null;
                    return cluster.births().write(fresh);
                },
                failure -> refused =
                        RefusedRequestException.in(failure).map(cause -> fresh).orElse(null));
    }

    /** For people: what happened to what the process had there. */
    String forgotten() {
        return "the cluster '" + id() + "' has forgotten its tables";
    }

    private void ripen(Birth birth) {
        if (isOfAnotherAgreement()) {
            return;
        }
        long age = context.ticker().nanos() - view.firstSeen();
        boolean first = birth.incarnation().equals(bornWithAll);
        Maturity maturity = age < context.settings().ripening().toNanos()
                ? Maturity.YOUNG
                : first || age >= context.settings().tokenRipening().toNanos()
                        ? Maturity.TOKEN_MATURE
                        : Maturity.MATURE;
        if (!birth.maturity().isAtLeast(maturity)) {
            write(() -> cluster.births().ripen(birth.incarnation(), maturity), failure -> {});
        }
    }

    /**
     * The next read shows what has become of it. One write at a time, and after a failure not before the time of a
     * watch interval.
     */
    private void write(Supplier<CompletionStage<Void>> change, Consumer<Throwable> failed) {
        long now = context.ticker().nanos();
        boolean tooEarly = view.notWritten() != null
                && now - lastWrite < context.settings().watchInterval().toNanos();
        if (writing || tooEarly) {
            return;
        }
        writing = true;
        lastWrite = now;
        Birth found = view.birth();
        context.within(context.settings().lease(), Operation.begin(change))
                .whenCompleteAsync(
                        (done, failure) -> {
                            writing = false;
                            if (failure != null) {
                                failed.accept(failure);
                            }
                            if (Objects.equals(found, view.birth())) {
                                writeEnded(failure);
                            }
                        },
                        mailbox);
    }

    /** Says nothing of a row that has become another one meanwhile. */
    private void writeEnded(@Nullable Throwable failure) {
        if (failure != null) {
            tellNotWritten(failure);
        }
        become(view.notWritten(failure));
    }

    /** Once, until a write succeeds or the row is another one. */
    private void tellNotWritten(Throwable failure) {
        if (view.notWritten() == null) {
            log.warn(
                    "The birth row of the cluster '{}' could not be written ({}): locks are taken without this cluster. Check"
                            + " that the user of the locks may change the tables lock_slots and lock_sessions there, and that"
                            + " lightweight transactions have a quorum. It is tried again every {}",
                    id(),
                    failure.getMessage(),
                    DurationText.of(context.settings().watchInterval()));
        } else {
            log.debug("The birth row of the cluster '{}' could still not be written", id(), failure);
        }
    }

    private void become(View next) {
        View before = view;
        view = next;
        if (before.answers() != next.answers()) {
            tell(next);
        }
        if (next.isYoung()) {
            others.seenYoung();
        }
        if (!next.saysTheSameAs(before)) {
            others.changed();
        }
    }

    private void tell(View next) {
        if (next.answers()) {
            log.info("The cluster '{}' answers", id());
        } else {
            Throwable failure = next.failure();
            log.warn(
                    "The cluster '{}' does not answer ({}): locks are taken without it",
                    id(),
                    failure == null ? "unknown" : failure.getMessage());
        }
    }
}
