package io.github.cassandralock.internal.deadlock;

import io.github.cassandralock.internal.steps.Operation;
import io.github.cassandralock.internal.store.PublishedWaits;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Reads published waits, renewals of sessions, and partitions of locks into a picture. Reads each once, and no more than the
 * bounds allow. Its tasks run one at a time, and one call is under way at a time.
 */
final class Reading {

    private static final int AT_ONCE = 32;

    private final DeadlockContext context;
    private final Freshness freshness;
    private final Executor executor;
    private final Picture picture;
    private int left;
    private boolean cut;

    /** @param executor runs the tasks, one at a time */
    Reading(DeadlockContext context, Freshness freshness, Executor executor, Picture picture) {
        this.context = context;
        this.freshness = freshness;
        this.executor = executor;
        this.picture = picture;
        this.left = context.settings().bounds().partitions();
    }

    Picture picture() {
        return picture;
    }

    /** Whether more was requested than the bounds allow. */
    boolean isCut() {
        return cut;
    }

    /** Completes with whether a read has added to the picture. */
    CompletionStage<Boolean> read(Wanted wanted) {
        List<Supplier<CompletionStage<?>>> reads = new ArrayList<>();
        // Beats come first. Otherwise a lock with many holders would exclude them in each round, and a suspect would
        // never be cleared.
        wanted.beats().stream().filter(id -> !picture.showsBeat(id)).forEach(id -> reads.add(() -> beat(id)));
        wanted.sessions().stream().filter(id -> !picture.shows(id)).forEach(id -> reads.add(() -> session(id)));
        wanted.locks().stream().filter(id -> !picture.shows(id)).forEach(id -> reads.add(() -> lock(id)));
        cut = cut || reads.size() > left;
        List<Supplier<CompletionStage<?>>> allowed = reads.subList(0, Math.min(left, reads.size()));
        left -= allowed.size();
        return readNext(allowed.iterator()).thenApply(done -> !allowed.isEmpty());
    }

    private CompletionStage<Void> readNext(Iterator<Supplier<CompletionStage<?>>> reads) {
        List<CompletableFuture<?>> begun = new ArrayList<>();
        while (reads.hasNext() && begun.size() < AT_ONCE) {
            begun.add(reads.next().get().toCompletableFuture());
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(begun.toArray(CompletableFuture<?>[]::new));
        return reads.hasNext() ? all.thenComposeAsync(done -> readNext(reads), executor) : all;
    }

    private CompletionStage<?> lock(String lockId) {
        return Operation.begin(() -> context.slots().read(lockId))
                .thenAcceptAsync(slots -> picture.add(lockId, slots), executor);
    }

    private CompletionStage<?> beat(UUID session) {
        return Operation.begin(() -> context.sessions().store().read(session))
                .thenAcceptAsync(
                        row -> picture.addBeat(
                                session,
                                row.map(found -> found.state().beat().number()).orElse(0L)),
                        executor);
    }

    /** Ignores a row that is not written any more. */
    private CompletionStage<?> session(UUID session) {
        return Operation.begin(() -> context.waits().read(session))
                .thenAcceptAsync(
                        row -> picture.add(
                                row.filter(freshness::isFresh).orElseGet(() -> PublishedWaits.none(session))),
                        executor);
    }
}
