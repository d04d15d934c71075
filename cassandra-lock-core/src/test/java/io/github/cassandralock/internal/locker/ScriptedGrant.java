package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockLoss;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A grant whose token, contention, loss and release are the test's. */
final class ScriptedGrant extends PlainGrant {

    /** Runs an action between the moment when a check found the lock not lost, and what the check does next. */
    static final class Loss extends CompletableFuture<LockLoss> {

        final AtomicReference<Runnable> onceFoundNotLost = new AtomicReference<>(() -> {});

        @Override
        public boolean isDone() {
            boolean done = super.isDone();
            onceFoundNotLost.getAndSet(() -> {}).run();
            return done;
        }
    }

    final Loss lost;
    final CompletableFuture<Void> contended = new CompletableFuture<>();
    volatile CompletableFuture<Void> release = CompletableFuture.completedFuture(null);
    volatile @Nullable CompletableFuture<Long> token;
    volatile Runnable whileReserving = () -> {};
    final AtomicReference<Runnable> onceFoundValid = new AtomicReference<>(() -> {});

    ScriptedGrant() {
        this(new Loss());
    }

    private ScriptedGrant(Loss lost) {
        super(lost);
        this.lost = lost;
    }

    @Override
    public boolean isValid() {
        boolean valid = super.isValid();
        onceFoundValid.getAndSet(() -> {}).run();
        return valid;
    }

    @Override
    public CompletionStage<Long> reserveFencingToken() {
        if (token == null) {
            throw new UnsupportedOperationException("no token in 'scripted'");
        }
        whileReserving.run();
        return token;
    }

    @Override
    public CompletionStage<Void> watchContention() {
        return contended;
    }

    @Override
    public CompletionStage<Void> release() {
        super.release();
        return release;
    }
}
