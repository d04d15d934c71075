package io.github.cassandralock.internal.thesis.queue;

/** GetLock (thesis, listing 7): waits in the queue without a limit of its own. */
final class WaitingAttempt extends QueueAttempt {

    private final QueuePollInterval pollInterval;
    private int conflicts;

    WaitingAttempt(QueueContext context, String lockId, String threadId) {
        super(context, lockId, threadId, context.cells().settings().lease());
        this.pollInterval = new QueuePollInterval(context.poll());
    }

    @Override
    protected void begin() {
        arrive();
    }

    @Override
    void behind(Position.Behind position) {
        conflicts = 0;
        steps().pauseThen(pollInterval.pause(position, cells().ticker().nanos()), this::lookAtQueue);
    }

    /** Threads that meet in the main row pause for random times, so that they do not meet there every time. */
    @Override
    void mainRowShared() {
        conflicts = Math.min(conflicts + 1, 16);
        long upTo = context().poll().min().toNanos() << conflicts;
        steps().pauseThen(context().poll().clamp(cells().random().nextLong(upTo)), this::lookAtQueue);
    }
}
