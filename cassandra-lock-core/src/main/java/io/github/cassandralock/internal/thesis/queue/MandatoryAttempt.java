package io.github.cassandralock.internal.thesis.queue;

/** GetLock (thesis, listing 7): waits in the queue without a limit of its own. */
final class MandatoryAttempt extends QueueAttempt {

    private final QueuePollInterval pollInterval;
    private int conflicts;

    MandatoryAttempt(QueueAlgorithm.Context context, String lockId, String threadId) {
        super(context, lockId, threadId, context.settings().lease());
        this.pollInterval = new QueuePollInterval(context.poll());
    }

    @Override
    void start() {
        arrive();
    }

    @Override
    void behind(Position.Behind position) {
        conflicts = 0;
        steps().pauseThen(pollInterval.pause(position, context().ticker().nanos()), this::lookAtQueue);
    }

    /** Threads that meet in the main row pause for random times, so that they do not meet there every time. */
    @Override
    void mainRowShared() {
        conflicts = Math.min(conflicts + 1, 16);
        long upTo = context().poll().min().toNanos() << conflicts;
        steps().pauseThen(context().poll().clamp(context().random().nextLong(upTo)), this::lookAtQueue);
    }
}
