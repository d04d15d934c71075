package io.github.cassandralock.internal.locker.held;

import io.github.cassandralock.LockLoss;
import io.github.cassandralock.internal.inspect.LockFigures;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts the outcomes of calls and locks in this process, for people and meters. Thread-safe. */
final class Figures {

    private final LongAdder granted = new LongAdder();
    private final LongAdder released = new LongAdder();
    private final Map<LockLoss.Reason, LongAdder> losses = new EnumMap<>(LockLoss.Reason.class);
    private final LongAdder refused = new LongAdder();
    private final LongAdder givenUp = new LongAdder();

    Figures() {
        for (LockLoss.Reason reason : LockLoss.Reason.values()) {
            losses.put(reason, new LongAdder());
        }
    }

    void granted() {
        granted.increment();
    }

    void released() {
        released.increment();
    }

    void lost(LockLoss.Reason reason) {
        Objects.requireNonNull(losses.get(reason)).increment();
    }

    void refused() {
        refused.increment();
    }

    void givenUp() {
        givenUp.increment();
    }

    LockFigures now() {
        Map<LockLoss.Reason, Long> lost = new EnumMap<>(LockLoss.Reason.class);
        losses.forEach((reason, number) -> lost.put(reason, number.sum()));
        return new LockFigures(granted.sum(), released.sum(), lost, refused.sum(), givenUp.sum());
    }
}
