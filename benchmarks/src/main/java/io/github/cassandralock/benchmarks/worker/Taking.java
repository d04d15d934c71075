package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Contender;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One thread that takes locks again and again until the counted part is over.
 *
 * @param arriving it begins at some time within
 * @param part empty until it is known
 * @param granted how often any thread got a lock, counted or not
 * @param notes where it notes what it got in the counted part
 */
record Taking(
        Work work,
        Duration arriving,
        Contender contender,
        RandomGenerator random,
        AtomicReference<@Nullable Part> part,
        LongAdder granted,
        Notes notes)
        implements Callable<Void> {

    /** Not all in one instant: of a thousand that arrive together, each would read the rows of all several times. */
    @Override
    public @Nullable Void call() throws Exception {
        if (!arriving.isZero()) {
            TimeUnit.NANOSECONDS.sleep(random.nextLong(arriving.toNanos()));
        }
        while (!isOver()) {
            takeOnce(random.nextInt(work.locks()));
        }
        return null;
    }

    private boolean isOver() {
        Part last = part.get();
        return last != null && last.isOver(System.nanoTime(), notes.count());
    }

    private void takeOnce(int lock) throws Exception {
        String lockId = work.idOf(lock);
        boolean shared = reads();
        long askedAt = System.nanoTime();
        Contender.Hold hold = shared ? contender.acquireToRead(lockId) : acquire(lockId);
        long enteredAt = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(work.hold().toNanos());
        long leftAt = System.nanoTime();
        hold.release();
        granted.increment();
        Part last = part.get();
        if (last != null && last.counts(enteredAt)) {
            notes.add(lock, shared, askedAt, enteredAt, leftAt);
        }
    }

    private boolean reads() {
        Integer readers = work.readers();
        return readers != null && random.nextInt(100) < readers;
    }

    private Contender.Hold acquire(String lockId) throws Exception {
        if (work.permits() > 1) {
            return contender.acquirePermit(lockId, work.permits());
        }
        return work.readers() == null ? contender.acquire(lockId) : contender.acquireToWrite(lockId);
    }
}
