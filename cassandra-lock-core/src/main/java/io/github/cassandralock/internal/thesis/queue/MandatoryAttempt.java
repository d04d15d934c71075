package io.github.cassandralock.internal.thesis.queue;

/** GetLock (thesis, listing 7): waits in the queue as long as it takes. */
final class MandatoryAttempt extends QueueAttempt {

    private final PollPace pace;
    private int conflicts;

    MandatoryAttempt(QueueAlgorithm.Parts parts, String lockId, String threadId) {
        super(parts, lockId, threadId, parts.terms().lease());
        this.pace = new PollPace(parts.poll());
    }

    @Override
    void start() {
        arrive();
    }

    @Override
    void behind(Position.Behind position) {
        conflicts = 0;
        steps().pauseThen(pace.pause(position, parts().ticker().nanos()), this::lookAtQueue);
    }

    /** Two that meet in the main row wait for different times, so that they do not meet there again and again. */
    @Override
    void mainRowShared() {
        conflicts = Math.min(conflicts + 1, 16);
        long upTo = parts().poll().min().toNanos() << conflicts;
        steps().pauseThen(parts().poll().clamp(parts().random().nextLong(upTo)), this::lookAtQueue);
    }
}
