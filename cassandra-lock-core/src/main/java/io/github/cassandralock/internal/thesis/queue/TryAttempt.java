package io.github.cassandralock.internal.thesis.queue;

import java.time.Duration;

/** TryGetLock (thesis, listing 8): is refused if another thread holds the lock or is ahead in the queue. */
final class TryAttempt extends QueueAttempt {

    /*
     * The listing repeats steps 4 to 10 until the main row is free. If the other thread in the main row holds the lock, this
     * would be a wait for the lock. That can happen: the other thread may have passed the queue before the cell of this thread,
     * with an earlier time, was written. Therefore a limit ends the repetition. If several threads try at the same time, the
     * first in the queue still gets the lock, provided that the others leave the main row within the limit (theorem 4); they
     * need two operations for that.
     */

    TryAttempt(QueueContext context, String lockId, String threadId) {
        super(context, lockId, threadId, Duration.ZERO);
    }

    /** Listing 8, steps 1 and 2. */
    @Override
    protected void begin() {
        steps().step(() -> cells().mainRow().read(lockId(), "", 1), holders -> {
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
        if (isConflictTooLong()) {
            refuse();
        } else {
            steps().pauseThen(context().poll().min(), this::lookAtQueue);
        }
    }
}
