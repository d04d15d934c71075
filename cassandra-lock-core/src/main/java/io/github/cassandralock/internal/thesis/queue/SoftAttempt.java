package io.github.cassandralock.internal.thesis.queue;

import java.time.Duration;

/** TryGetLock (thesis, listing 8): is refused if anybody holds the lock or came first. */
final class SoftAttempt extends QueueAttempt {

    /*
     * The listing repeats steps 4 to 10 until the main row is free. That is no longer soft if the other one in the main
     * row holds the lock: it may have passed the queue before this thread's cell, with an earlier time, landed in it. Of
     * several that try at once the first in the queue still gets it if the others leave the main row within the window
     * (theorem 4); they do so in two operations.
     */
    private static final Duration CONFLICT_WINDOW = Duration.ofSeconds(1);

    private long firstConflictAt;
    private boolean conflict;

    SoftAttempt(QueueAlgorithm.Context context, String lockId, String threadId) {
        super(context, lockId, threadId, Duration.ZERO);
    }

    /** Listing 8, steps 1 and 2. */
    @Override
    void start() {
        steps().step(() -> context().mainRow().read(lockId(), "", 1), holders -> {
            if (holders.isEmpty()) {
                arrive();
            } else {
                refuse();
            }
        });
    }

    @Override
    void behind(Position.Behind position) {
        refuse();
    }

    @Override
    void mainRowShared() {
        long now = context().ticker().nanos();
        if (!conflict) {
            conflict = true;
            firstConflictAt = now;
        }
        if (now - firstConflictAt >= CONFLICT_WINDOW.toNanos()) {
            refuse();
        } else {
            steps().pauseThen(context().poll().min(), this::lookAtQueue);
        }
    }
}
