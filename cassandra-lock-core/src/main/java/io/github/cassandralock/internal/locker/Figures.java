package io.github.cassandralock.internal.locker;

import io.github.cassandralock.internal.inspect.LockFigures;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happens in this process, for people. Thread-safe. */
final class Figures {

    private final LongAdder handOvers = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final LongAdder lost = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder givenUp = new LongAdder();

    void handedOver() {
        handOvers.increment();
    }

    /** @param wasLost whether the lock had been lost before */
    void released(boolean wasLost) {
        released.increment();
        if (wasLost) {
            lost.increment();
        }
    }

    void refused() {
        refused.increment();
    }

    void givenUp() {
        givenUp.increment();
    }

    /** @param lostAndHeld how many locks have been lost and not released yet */
    LockFigures now(long lostAndHeld) {
        return new LockFigures(handOvers.sum(), released.sum(), lost.sum() + lostAndHeld, refused.sum(), givenUp.sum());
    }
}
