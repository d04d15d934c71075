package io.github.cassandralock.internal.majority;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockLoss.Reason;
import io.github.cassandralock.internal.steps.Mailbox;
import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.text.DurationText;
import io.github.cassandralock.internal.time.NextTimer;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the birth row of one cluster repeatedly. The row shows whether the cluster answers, has kept its tables, and is old
 * enough (docs/majority.md, sections 2 and 4). Thread-safe.
 */
final class ClusterWatch {

    /*
     * Only tasks of the mailbox change the fields. Each incarnation has a name that is used once. Therefore an incarnation that
     * two reads have shown existed between both reads, and its age needs no watch without gaps.
     */

    private static final Logger log = LoggerFactory.getLogger(ClusterWatch.class);

    private final Cluster cluster;
    private final MajorityContext context;
    private final String agreement;
    private final Clusters others;
    private final Mailbox mailbox = new Mailbox();
    private volatile ClusterView view;
    private final NextTimer nextLook;
    private long lastAnswer;
    private boolean writing;
    private long lastWrite;

    /** A refused birth row, whose incarnation is not used. It is written again, so that it leaves only one mark. */
    private @Nullable Birth refused;

    /** The incarnation that was born together with the incarnations of all other clusters. Nobody had a lock before that. */
    private volatile @Nullable UUID bornWithAll;

    /** @param agreement required in the birth row */
    ClusterWatch(Cluster cluster, MajorityContext context, String agreement, Clusters others) {
        this.cluster = cluster;
        this.context = context;
        this.agreement = agreement;
        this.others = others;
        this.nextLook = new NextTimer(context.timers());
        this.view = ClusterView.unknown(context.ticker().nanos());
    }

    void start() {
        mailbox.execute(() -> {
            lastAnswer = context.ticker().nanos();
            look();
        });
    }

    void close() {
        nextLook.close();
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

    ClusterView view() {
        return view;
    }

    /**
     * Whether a read that began within the last lease has shown the cluster in this epoch. If the cluster has forgotten its tables,
     * it did so later, so no process counts it again yet.
     */
    boolean hasShown(int epoch) {
        ClusterView present = view;
        return present.epoch() == epoch && isYoungerThanALease(present.lastBegan());
    }

    private boolean isYoungerThanALease(long instant) {
        return context.ticker().nanos() - instant < context.settings().lease().toNanos();
    }

    /**
     * Whether a read has shown a birth row or has failed. True as well if a read has shown no row, and this process must not
     * write a row.
     */
    boolean wasSeen() {
        ClusterView present = view;
        return present.birth() != null
                || present.failure() != null
                || present.notWritten() != null
                || (present.answers() && !others.birthsAllowed());
    }

    /** The agreement that the birth row must have. */
    String agreement() {
        return agreement;
    }

    /** The agreement of the birth row; empty if there is none. */
    String foundAgreement() {
        Birth birth = view.birth();
        return birth == null ? "" : birth.agreement();
    }

    boolean isOfAnotherAgreement() {
        Birth birth = view.birth();
        return birth != null && !birth.agreement().equals(agreement);
    }

    /** Records that this incarnation was young when the incarnations of all other clusters were young as well. */
    void bornWithAll(UUID incarnation) {
        bornWithAll = incarnation;
    }

    /**
     * The guard: determines, by a read that begins now, whether the cluster has not changed since the view.
     *
     * @return completes exceptionally if there is no answer in time
     */
    CompletionStage<Boolean> isStill(ClusterView earlier) {
        long began = context.ticker().nanos();
        return context.within(context.settings().clusterTimeout(), Operation.begin(cluster.births()::read))
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
        if (nextLook.isClosed()) {
            return;
        }
        long began = context.ticker().nanos();
        context.within(context.settings().clusterTimeout(), Operation.begin(cluster.births()::read))
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

    /** A timer fails only when the locks are being closed. */
    private void lookAgainAfter(Duration delay) {
        nextLook.after(delay).thenRunAsync(this::look, mailbox);
    }

    private void unanswered(Throwable failure) {
        boolean inTime = context.ticker().nanos() - lastAnswer
                < context.settings().patience().toNanos();
        become(view.unanswered(failure, inTime, isYoungerThanALease(view.lastBegan())));
    }

    /** Ignores a read that began before the last one with an answer: the answer of a guard may be late. */
    private void answered(Optional<Birth> birth, long began) {
        ClusterView before = view;
        if (began - before.lastBegan() < 0) {
            return;
        }
        lastAnswer = context.ticker().nanos();
        boolean another = before.isReplacedBy(birth);
        become(before.answered(birth, began, lastAnswer));
        if (another) {
            log.warn(
                    "The cluster '{}' has forgotten its tables. The parts of locks that were held there are lost. The"
                            + " cluster does not count before it has been watched for {}",
                    id(),
                    DurationText.of(context.settings().ripening()));
            algorithm().abandonAll(forgotten());
        }
        if (birth.isPresent()) {
            raiseMaturity(birth.get());
        } else if (others.birthsAllowed()) {
            writeBirth();
        }
    }

    /** Writes a refused birth row again. Any other row may have been seen, so its incarnation is not used twice. */
    private void writeBirth() {
        Birth fresh = refused == null ? new Birth(context.ids().get(), agreement, Maturity.YOUNG) : refused;
        write(
                () -> {
                    refused = null;
                    return cluster.births().write(fresh);
                },
                failure -> refused =
                        RefusedRequestException.in(failure).map(cause -> fresh).orElse(null));
    }

    /** The loss of what the process had there. */
    LockLoss forgotten() {
        return new LockLoss(Reason.STORE_FORGOT, "the cluster '" + id() + "' has forgotten its tables");
    }

    private void raiseMaturity(Birth birth) {
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
     * Writes a change, whose effect the next read shows. There is one write at a time, and after a failure none within a watch
     * interval.
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

    /** Records the result of a write, if the row has not become another one meanwhile. */
    private void writeEnded(@Nullable Throwable failure) {
        if (failure != null) {
            logNotWritten(failure);
        }
        become(view.notWritten(failure));
    }

    /** Logs once, until a write succeeds or the row is another one. */
    private void logNotWritten(Throwable failure) {
        if (view.notWritten() == null) {
            log.warn(
                    "The birth row of the cluster '{}' could not be written ({}): locks are taken without this cluster."
                            + " Check that the user of the locks may change the tables lock_slots and lock_sessions"
                            + " there. Check that lightweight transactions have a quorum. The write is tried again"
                            + " every {}",
                    id(),
                    failure.getMessage(),
                    DurationText.of(context.settings().watchInterval()));
        } else {
            log.debug("The birth row of the cluster '{}' could still not be written", id(), failure);
        }
    }

    private void become(ClusterView next) {
        ClusterView before = view;
        view = next;
        if (before.answers() != next.answers()) {
            logAnswering(next);
        }
        if (next.isYoung()) {
            others.findFirstInstallation();
        }
        if (!next.isLike(before)) {
            others.changed();
        }
    }

    private void logAnswering(ClusterView next) {
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
