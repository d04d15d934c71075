package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.spi.Grant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The grant of all tests, in memory. It is valid until it is released or abandoned. Tests override what matters to them. Thread-safe. */
public class PlainGrant implements Grant {

    private final CompletableFuture<LockLoss> lost;
    private volatile boolean released;

    public PlainGrant() {
        this(new CompletableFuture<>());
    }

    /** @param lost receives the reason of the loss */
    protected PlainGrant(CompletableFuture<LockLoss> lost) {
        this.lost = lost;
    }

    public final boolean isReleased() {
        return released;
    }

    @Override
    public boolean isValid() {
        return !released && !lost.isDone();
    }

    @Override
    public CompletionStage<LockLoss> getLoss() {
        return lost;
    }

    @Override
    public CompletionStage<Long> reserveFencingToken() {
        return CompletableFuture.completedFuture(1L);
    }

    @Override
    public void abandon(LockLoss loss) {
        if (!released) {
            lost.complete(loss);
        }
    }

    @Override
    public CompletionStage<Void> release() {
        released = true;
        return CompletableFuture.completedFuture(null);
    }
}
