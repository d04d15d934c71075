package io.github.cassandralock.internal.majority;

import io.github.cassandralock.internal.store.RefusedRequestException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The state of a cluster, as this process has seen it. Immutable.
 *
 * @param birth the last birth row that was read; null if there was none, or nothing was read yet
 * @param epoch how often this process has seen the cluster become another one; an epoch never returns
 * @param answers whether the last answer is young enough
 * @param shown whether a read that began within the last lease has shown this epoch
 * @param firstSeen when the first read that showed this incarnation had ended
 * @param lastBegan when the last read with an answer began; without one, when the watch was created
 * @param failure why the last read failed; null if it succeeded
 * @param notWritten why the present birth row could not be written or made more mature
 */
record ClusterView(
        @Nullable Birth birth,
        int epoch,
        boolean answers,
        boolean shown,
        long firstSeen,
        long lastBegan,
        @Nullable Throwable failure,
        @Nullable Throwable notWritten) {

    /** The view before the first answer. */
    static ClusterView unknown(long now) {
        return new ClusterView(null, 0, false, false, now, now, null, null);
    }

    ClusterView notWritten(@Nullable Throwable why) {
        return new ClusterView(birth, epoch, answers, shown, firstSeen, lastBegan, failure, why);
    }

    /**
     * The view after a read with an answer.
     *
     * @param read the birth row; empty if there is none
     * @param began when the read began
     * @param ended when its answer came
     */
    ClusterView answered(Optional<Birth> read, long began, long ended) {
        boolean same = read.map(Birth::incarnation).equals(incarnation());
        return new ClusterView(
                read.orElse(null),
                isReplacedBy(read) ? epoch + 1 : epoch,
                true,
                true,
                same ? firstSeen : ended,
                began,
                null,
                read.equals(Optional.ofNullable(birth)) ? notWritten : null);
    }

    /** Whether a birth row shows that the cluster has become another one. */
    boolean isReplacedBy(Optional<Birth> read) {
        return birth != null && !read.map(Birth::incarnation).equals(incarnation());
    }

    /**
     * The view after a read without an answer.
     *
     * @param inTime whether the last answer is young enough
     * @param recent whether the last read with an answer began within the last lease
     */
    ClusterView unanswered(Throwable why, boolean inTime, boolean recent) {
        return new ClusterView(birth, epoch, answers && inTime, shown && recent, firstSeen, lastBegan, why, notWritten);
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

    /** Whether both views lead to the same decisions. */
    boolean isLike(ClusterView other) {
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

    /** A refusal that remains until an operator removes its cause. */
    Optional<RefusedRequestException> refusal() {
        return Optional.ofNullable(failure)
                .flatMap(RefusedRequestException::in)
                .or(() -> Optional.ofNullable(notWritten).flatMap(RefusedRequestException::in));
    }

    Optional<UUID> incarnation() {
        return Optional.ofNullable(birth).map(Birth::incarnation);
    }
}
