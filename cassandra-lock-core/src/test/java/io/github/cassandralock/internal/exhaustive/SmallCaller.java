package io.github.cassandralock.internal.exhaustive;

import io.github.cassandralock.internal.ticket.TicketAlgorithm;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A thread of a process that requests the lock, holds it and releases it, a few times. */
final class SmallCaller {

    static final String LOCK = "lock";

    private final SmallProcess process;
    private final TicketAlgorithm algorithm;
    private int rounds;
    private @Nullable Attempt attempt;
    private @Nullable Grant grant;

    SmallCaller(SmallProcess process, TicketAlgorithm algorithm, int rounds) {
        this.process = process;
        this.algorithm = algorithm;
        this.rounds = rounds;
    }

    SmallProcess process() {
        return process;
    }

    boolean canStart() {
        return rounds > 0 && attempt == null;
    }

    void start() {
        rounds--;
        process.see(-3, StateKey.EMPTY);
        attempt = algorithm.acquire(AcquireRequest.waits(LOCK, "thread"));
    }

    /** The grant that it gets now; empty if it gets none at this step. */
    Optional<Grant> newGrant() {
        Attempt present = attempt;
        if (present == null || grant != null) {
            return Optional.empty();
        }
        Optional<Grant> outcome = Optional.ofNullable(
                        present.getOutcome().toCompletableFuture().getNow(null))
                .flatMap(granted -> granted);
        outcome.ifPresent(granted -> grant = granted);
        return outcome;
    }

    boolean hasGrant() {
        return grant != null;
    }

    /** A process whose session was declared dead may still hold the lock, as far as it can see. */
    boolean holds() {
        Grant present = grant;
        return !process.isDead() && present != null && present.isValid();
    }

    void release() {
        Grant present = grant;
        if (present != null) {
            process.see(-4, StateKey.EMPTY);
            attempt = null;
            grant = null;
            present.release();
        }
    }
}
