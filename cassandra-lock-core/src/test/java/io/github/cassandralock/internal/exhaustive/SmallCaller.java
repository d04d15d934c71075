package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A thread of a process that requests the lock, holds it, may convert it, and releases it, a few times. */
final class SmallCaller {

    static final String LOCK = "lock";

    private final SmallProcess process;
    private final TicketAlgorithm algorithm;
    private final Use use;
    private int rounds;
    private int conversions;
    private @Nullable Attempt attempt;
    private @Nullable Attempt conversion;
    private @Nullable Grant grant;

    /** The last grant that was seen not to hold the lock. */
    private @Nullable Grant lost;

    SmallCaller(SmallProcess process, TicketAlgorithm algorithm, Use use) {
        this.process = process;
        this.algorithm = algorithm;
        this.use = use;
        this.rounds = use.rounds();
    }

    SmallProcess process() {
        return process;
    }

    boolean canStart() {
        return rounds > 0 && attempt == null;
    }

    boolean isWaiting() {
        return attempt != null && grant == null;
    }

    boolean isDone() {
        return rounds == 0 && attempt == null;
    }

    void start() {
        rounds--;
        process.see(-3, StateKey.EMPTY);
        attempt = algorithm.acquire(AcquireRequest.waits(LOCK, "thread").in(use.mode()));
    }

    /** The grant that it gets now, by its request or by a conversion; empty if it gets none at this step. */
    Optional<Grant> newGrant() {
        return grant == null ? granted() : converted();
    }

    private Optional<Grant> granted() {
        Optional<Grant> granted = Optional.ofNullable(attempt).flatMap(SmallCaller::outcome);
        granted.ifPresent(present -> grant = present);
        return granted;
    }

    private static Optional<Grant> outcome(Attempt attempt) {
        return attempt.getOutcome().toCompletableFuture().getNow(Optional.empty());
    }

    private Optional<Grant> converted() {
        Optional<Attempt> ended = Optional.ofNullable(conversion)
                .filter(present -> present.getOutcome().toCompletableFuture().isDone());
        if (ended.isPresent()) {
            conversion = null;
        }
        return ended.filter(
                        present -> !present.getOutcome().toCompletableFuture().isCompletedExceptionally())
                .flatMap(SmallCaller::outcome);
    }

    boolean hasGrant() {
        return grant != null;
    }

    /** A process whose session was declared dead may still hold the lock, as far as it can see. */
    boolean holds() {
        Grant present = grant;
        return !process.isDead() && present != null && present.isValid();
    }

    /** Whether it holds the lock, and did not hold it at an earlier look since the grant. */
    boolean isHeldAgain() {
        Grant present = grant;
        boolean held = holds();
        boolean again = held && lost == present;
        if (present != null && !held) {
            lost = present;
        }
        return again;
    }

    /** Whether both hold the lock, in modes that conflict. */
    boolean conflictsWith(SmallCaller other) {
        return holds() && other.holds() && !mode().isCompatibleWith(other.mode());
    }

    /** The mode in which it holds the lock. */
    LockMode mode() {
        return Objects.requireNonNull(grant).getMode().orElseThrow();
    }

    boolean canConvert() {
        return grant != null
                && conversion == null
                && conversions < use.conversions().size();
    }

    /** The mode of its next conversion. */
    LockMode nextMode() {
        return use.conversions().get(conversions);
    }

    void convert() {
        LockMode mode = nextMode();
        conversions++;
        process.see(-5, StateKey.EMPTY);
        conversion = Objects.requireNonNull(grant).convert(mode);
    }

    boolean isConverting() {
        return conversion != null;
    }

    void giveUpConversion() {
        process.see(-6, StateKey.EMPTY);
        Objects.requireNonNull(conversion).giveUp();
    }

    void release() {
        Grant present = grant;
        if (present != null) {
            process.see(-4, StateKey.EMPTY);
            attempt = null;
            conversion = null;
            grant = null;
            conversions = 0;
            present.release();
        }
    }
}
