package io.github.cassandralock.internal.locker;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.spi.AcquireRequest;
import io.github.cassandralock.spi.Attempt;
import io.github.cassandralock.spi.Grant;
import io.github.cassandralock.spi.LockAlgorithm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** Locks in all modes, in memory, first come, first served; without leases. Thread-safe. */
public final class SharingAlgorithm implements LockAlgorithm {

    private final List<Entry> queue = new ArrayList<>();
    private final List<Conversion> conversions = new ArrayList<>();
    private boolean slow;

    /** The acquisitions whose locks were left behind at the end. */
    final List<String> left = new CopyOnWriteArrayList<>();

    /** Conversions are not decided while the algorithm is slow. */
    void setSlow(boolean isSlow) {
        change(() -> slow = isSlow);
    }

    @Override
    public String getName() {
        return "sharing";
    }

    @Override
    public boolean supports(LockMode mode) {
        return true;
    }

    @Override
    public boolean supportsPermits() {
        return true;
    }

    @Override
    public Attempt acquire(AcquireRequest request) {
        Entry entry = new Entry(request.lockId(), request.threadId(), request.mode());
        change(() -> queue.add(entry));
        if (!request.waits() && entry.outcome.complete(Optional.empty())) {
            change(() -> queue.remove(entry));
        }
        return entry;
    }

    /** Converts first, and grants then to all whose modes are compatible with those of all entries before them. */
    private void change(Runnable change) {
        List<Entry> granted = new ArrayList<>();
        List<Conversion> converted = new ArrayList<>();
        synchronized (queue) {
            change.run();
            converted.addAll(conversions.stream()
                    .filter(conversion -> !slow && isPossible(conversion))
                    .toList());
            converted.forEach(conversion -> conversion.entry.mode = conversion.target);
            conversions.removeAll(converted);
            for (Entry entry : queue) {
                boolean free = queue.subList(0, queue.indexOf(entry)).stream()
                        .filter(other -> other.lockId.equals(entry.lockId))
                        .allMatch(other -> other.mode.isCompatibleWith(entry.mode));
                if (free) {
                    granted.add(entry);
                }
            }
        }
        converted.forEach(conversion -> conversion.outcome.complete(Optional.of(conversion.entry)));
        granted.forEach(entry -> entry.outcome.complete(Optional.of(entry)));
    }

    private boolean isPossible(Conversion conversion) {
        return queue.stream()
                .filter(other -> other != conversion.entry && other.lockId.equals(conversion.entry.lockId))
                .filter(other -> other.outcome.isDone())
                .allMatch(other -> other.mode.isCompatibleWith(conversion.target));
    }

    private final class Conversion implements Attempt {

        private final Entry entry;
        private final LockMode target;
        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();

        Conversion(Entry entry, LockMode target) {
            this.entry = entry;
            this.target = target;
        }

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        @Override
        public void giveUp() {
            if (outcome.completeExceptionally(new CancellationException("given up"))) {
                change(() -> conversions.remove(this));
            }
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return CompletableFuture.completedFuture(null);
    }

    /** An attempt, and its grant. */
    private final class Entry extends PlainGrant implements Attempt {

        private final String lockId;
        private final String threadId;
        private volatile LockMode mode;
        private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();

        Entry(String lockId, String threadId, LockMode mode) {
            this.lockId = lockId;
            this.threadId = threadId;
            this.mode = mode;
        }

        @Override
        public CompletionStage<Optional<Grant>> getOutcome() {
            return outcome;
        }

        @Override
        public void giveUp() {
            if (outcome.completeExceptionally(new CancellationException("given up"))) {
                release();
            }
        }

        @Override
        public CompletionStage<Long> reserveFencingToken() {
            throw new UnsupportedOperationException("no tokens in 'sharing'");
        }

        @Override
        public Optional<LockMode> getMode() {
            return Optional.of(mode);
        }

        @Override
        public Attempt convert(LockMode target) {
            Conversion conversion = new Conversion(this, target);
            change(() -> conversions.add(conversion));
            return conversion;
        }

        @Override
        public Attempt tryConvert(LockMode target) {
            Conversion conversion = new Conversion(this, target);
            change(() -> conversions.add(conversion));
            if (conversion.outcome.complete(Optional.empty())) {
                change(() -> conversions.remove(conversion));
            }
            return conversion;
        }

        @Override
        public CompletionStage<Void> release() {
            CompletionStage<Void> released = super.release();
            List<Conversion> ending = new ArrayList<>();
            change(() -> {
                queue.remove(this);
                conversions.stream()
                        .filter(conversion -> conversion.entry == this)
                        .forEach(ending::add);
                conversions.removeAll(ending);
            });
            ending.forEach(
                    conversion -> conversion.outcome.completeExceptionally(new CancellationException("released")));
            return released;
        }

        @Override
        public CompletionStage<Void> keepTaken(Duration atLeast) {
            left.add(threadId);
            return CompletableFuture.completedFuture(null);
        }
    }
}
