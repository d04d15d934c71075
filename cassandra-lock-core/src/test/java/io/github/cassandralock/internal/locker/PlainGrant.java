package io.github.cassandralock.internal.locker;

import io.github.cassandralock.spi.Grant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A grant in memory. It is valid until it is released or abandoned. Tests override what matters to them. Thread-safe. */
public class PlainGrant implements Grant {

    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private volatile boolean released;

    @Override
    public boolean isValid() {
        return !released && !lost.isDone();
    }

    @Override
    public CompletionStage<String> lost() {
        return lost;
    }

    @Override
    public CompletionStage<Long> fencingToken() {
        return CompletableFuture.completedFuture(1L);
    }

    @Override
    public void abandon(String reason) {
        lost.complete(reason);
    }

    @Override
    public CompletionStage<Void> release() {
        released = true;
        return CompletableFuture.completedFuture(null);
    }
}
