package io.github.cassandralock.internal.migration;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.spi.Grant;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Both halves of a lock. The grant is lost when one half is lost; the other half still excludes others until the holder
 * releases it. Thread-safe.
 */
final class MigrationGrant implements Grant {

    private final Grant oldHalf;
    private final Grant newHalf;
    private final MigrationTokens tokens;
    private final CompletionStage<LockLoss> lost;

    MigrationGrant(Grant oldHalf, Grant newHalf, MigrationTokens tokens) {
        this.oldHalf = oldHalf;
        this.newHalf = newHalf;
        this.tokens = tokens;
        this.lost = newHalf.getLoss().applyToEither(oldHalf.getLoss(), reason -> reason);
    }

    @Override
    public boolean isValid() {
        return newHalf.isValid() && oldHalf.isValid();
    }

    @Override
    public CompletionStage<LockLoss> getLoss() {
        return lost;
    }

    /**
     * Returns the token of the half that has tokens. Processes that use only the other algorithm have none, so tokens order only
     * the holders that have this half.
     */
    @Override
    public CompletionStage<Long> reserveFencingToken() {
        return switch (tokens) {
            case OF_THE_HALF_THAT_HAS_THEM -> ofTheHalfThatHasThem();
            case NONE ->
                throw new UnsupportedOperationException(
                        "This lock has no fencing token during a migration between the algorithms 'ticket' and"
                                + " 'majority'. Each algorithm counts by itself, so its number could be lower than the"
                                + " number of an earlier holder. Use tokens when all instances use one of them alone,"
                                + " or change the algorithm while no instance runs (docs/guide/majority.md)");
        };
    }

    private CompletionStage<Long> ofTheHalfThatHasThem() {
        try {
            return newHalf.reserveFencingToken();
        } catch (UnsupportedOperationException e) {
            return oldHalf.reserveFencingToken();
        }
    }

    @Override
    public CompletionStage<LockValue> readValue() {
        throw noValue();
    }

    @Override
    public CompletionStage<Void> writeValue(byte[] bytes) {
        throw noValue();
    }

    /** Processes that use only the other algorithm would neither read nor change a value. */
    private static UnsupportedOperationException noValue() {
        return new UnsupportedOperationException(
                "This lock has no value during a migration. Use values when all instances use the algorithm 'ticket'"
                        + " alone (cassandra-lock.algorithm=ticket). Or store the data in a table of your own");
    }

    @Override
    public CompletionStage<Void> watchContention() {
        return newHalf.watchContention().acceptEither(oldHalf.watchContention(), seen -> {});
    }

    @Override
    public void abandon(LockLoss loss) {
        newHalf.abandon(loss);
        oldHalf.abandon(loss);
    }

    @Override
    public void markFinished() {
        newHalf.markFinished();
        oldHalf.markFinished();
    }

    @Override
    public CompletionStage<Void> keepTaken(Duration atLeast) {
        return newHalf.keepTaken(atLeast).thenCombine(oldHalf.keepTaken(atLeast), (done, doneToo) -> null);
    }

    /** Releases the old half first: the next holder of the new half then finds it free. */
    @Override
    public CompletionStage<Void> release() {
        return oldHalf.release().thenCompose(done -> newHalf.release());
    }
}
