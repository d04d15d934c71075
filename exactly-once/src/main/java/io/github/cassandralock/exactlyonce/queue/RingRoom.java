package io.github.cassandralock.exactlyonce.queue;

import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides by the low-water record whether a message may be written at an index. Thread-safe. Methods block and do I/O. */
final class RingRoom {

    private static final Logger log = LoggerFactory.getLogger(RingRoom.class);

    /** This process has not read the low-water record yet, so its layout is not compared with the queue's. */
    private static final long NEVER_READ = -1;

    private final Cells cells;
    private final LowWaterRegister lowWater;

    /** The highest L that this process has seen. An old L is lower, hence safe. */
    private final AtomicLong knownLowWater = new AtomicLong(NEVER_READ);

    RingRoom(Cells cells, LowWaterRegister lowWater) {
        this.cells = cells;
        this.lowWater = lowWater;
    }

    /** Checks the layout before this process first writes to the queue. */
    void requireLayout() throws InterruptedException {
        if (knownLowWater() == NEVER_READ) {
            readLowWater();
        }
    }

    /** The highest L that this process has seen; negative if it has seen none. */
    long knownLowWater() {
        return knownLowWater.get();
    }

    LowWater readLowWater() throws InterruptedException {
        return seen(lowWater.read());
    }

    private LowWater seen(LowWater record) {
        knownLowWater.accumulateAndGet(record.index(), Math::max);
        return record;
    }

    /** Empty if there is room. Raises L if the marks of consumers allow it. */
    Optional<PushAnswer.RingFull> whyFull(long index) throws InterruptedException {
        if (cells.layout().mayWrite(index, knownLowWater())) {
            return Optional.empty();
        }
        LowWater record = readLowWater();
        if (!cells.layout().mayWrite(index, record.index())) {
            record = seen(lowWater.raise());
        }
        return cells.layout().mayWrite(index, record.index())
                ? Optional.empty()
                : Optional.of(new PushAnswer.RingFull(record.slowest(), record.index()));
    }

    void waitFor(PushAnswer.RingFull full, GrowingPauses.Series pauses) throws InterruptedException {
        if (isToBeLogged(pauses.getCount())) {
            log.warn("A push waits, since {}", full.explained(cells.queue()));
        }
        pauses.pause();
    }

    /** At the first pause, and then at the 8th, 16th, 32nd, … */
    private static boolean isToBeLogged(int pauses) {
        return pauses == 0 || (pauses >= 8 && Integer.bitCount(pauses) == 1);
    }
}
