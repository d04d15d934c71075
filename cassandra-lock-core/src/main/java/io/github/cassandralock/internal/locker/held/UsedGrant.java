package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The attempt of a call that needs nothing but a grant that is there. */
public record UsedGrant(Grant grant) implements Attempt {

    @Override
    public CompletionStage<Optional<Grant>> outcome() {
        return CompletableFuture.completedFuture(Optional.of(grant));
    }

    @Override
    public void giveUp() {}
}
