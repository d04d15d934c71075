package io.github.cassandralock.exactlyonce.copy;

import java.util.concurrent.CountDownLatch;

/** A thread that is no daemon, from the first begin to the last end. */
final class KeepAliveThread implements KeepAlive {

    private final String name;
    private int begun;
    private CountDownLatch lastEnd = new CountDownLatch(0);

    KeepAliveThread(String name) {
        this.name = name;
    }

    @Override
    public synchronized void begin() {
        if (begun == 0) {
            CountDownLatch ended = new CountDownLatch(1);
            Thread thread = new Thread(() -> await(ended), name);
            thread.setDaemon(false); // a thread inherits this from the thread that makes it
            thread.start();
            lastEnd = ended;
        }
        begun++;
    }

    @Override
    public synchronized void end() {
        begun--;
        if (begun == 0) {
            lastEnd.countDown();
        }
    }

    private static void await(CountDownLatch ended) {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // only code that ends all threads can reach this thread
        }
    }
}
