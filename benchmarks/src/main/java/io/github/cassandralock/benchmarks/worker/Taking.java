package io.github.cassandralock.benchmarks.worker;

import io.github.cassandralock.benchmarks.contender.Contender;
import io.github.cassandralock.testing.statistics.Grant;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * One thread that takes locks.
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
        implements Callable<Void> {

    @Override
    public Void call() throws Exception {
        TimeUnit.NANOSECONDS.sleep(order.startAt() - System.nanoTime());
        for (int i = 0; i < order.work().acquisitions(); i++) {
            takeOnce(random.nextInt(order.work().locks()));
        }
        return null;
    }

    private void takeOnce(int lock) throws Exception {
        String lockId = order.work().idOf(lock);
        long askedAt = System.nanoTime();
        Contender.Hold hold = contender.acquire(lockId);
        long enteredAt = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(order.work().hold().toNanos());
        long leftAt = System.nanoTime();
        hold.release();
        grants.add(new Grant(process, contenderNumber, lock, askedAt, enteredAt, leftAt));
    }
}
