package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.testing.statistics.Grant;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * One thread that takes locks. It begins to count when all that contend for the same lock are queued for it: a lock that moves
 * from thread to thread of one process costs next to nothing, and the process that is first would have it for itself until the
 * others have said that they want it, too.
 *
 * @param grants where it notes what it got
 */
record Taking(
        Order.Take order,
        Contender contender,
        int process,
        int contenderNumber,
        RandomGenerator random,
        Collection<Grant> grants)
        implements Callable<Long> {

    /** In this part of the time until all are to be queued, they arrive. */
    private static final double ARRIVING = 0.75;

    /** Returns how many requests its contender had sent when it began to count. */
    @Override
    public Long call() throws Exception {
        sleepUntil(order.startAt());
        if (order.queuedAt() > order.startAt()) {
            queueUp();
        }
        long before = contender.requests();
        for (int i = 0; i < order.work().acquisitions(); i++) {
            takeOnce(random.nextInt(order.work().locks()));
        }
        return before;
    }

    private static void sleepUntil(long instant) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(instant - System.nanoTime());
    }

    /** Not all in one instant: of a thousand that arrive together, each would read the rows of all several times. */
    private void queueUp() throws Exception {
        sleepUntil(order.startAt() + (long) (random.nextDouble(ARRIVING) * (order.queuedAt() - order.startAt())));
        Contender.Hold hold = acquireAlone(order.work().idOf(0));
        sleepUntil(order.queuedAt());
        hold.release();
    }

    private void takeOnce(int lock) throws Exception {
        String lockId = order.work().idOf(lock);
        boolean shared = reads();
        long askedAt = System.nanoTime();
        Contender.Hold hold = shared ? contender.acquireToRead(lockId) : acquireAlone(lockId);
        long enteredAt = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(order.work().hold().toNanos());
        long leftAt = System.nanoTime();
        hold.release();
        grants.add(new Grant(process, contenderNumber, lock, askedAt, enteredAt, leftAt, shared));
    }

    private boolean reads() {
        Integer readers = order.work().readers();
        return readers != null && random.nextInt(100) < readers;
    }

    private Contender.Hold acquireAlone(String lockId) throws Exception {
        return order.work().readers() == null ? contender.acquire(lockId) : contender.acquireToWrite(lockId);
    }
}
