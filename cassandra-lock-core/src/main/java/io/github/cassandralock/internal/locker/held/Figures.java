package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.internal.inspect.LockFigures;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of calls and locks in this process, for people and meters. Thread-safe. */
final class Figures {

    private final LongAdder handOvers = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder lostByShutdown = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder givenUp = new LongAdder();

    void handedOver() {
        handOvers.increment();
    }

    void released() {
        released.increment();
    }

    /** @param byShutdown whether the lock was taken away because this process ends */
    void lost(boolean byShutdown) {
        (byShutdown ? lostByShutdown : lost).increment();
    }

    void refused() {
        refused.increment();
    }

    void givenUp() {
        givenUp.increment();
    }

    LockFigures now() {
        return new LockFigures(
                handOvers.sum(), released.sum(), lost.sum(), lostByShutdown.sum(), refused.sum(), givenUp.sum());
    }
}
