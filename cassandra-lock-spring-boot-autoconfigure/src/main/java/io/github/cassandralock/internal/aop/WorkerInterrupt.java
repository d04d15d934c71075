package io.github.cassandralock.internal.aop;

import io.github.cassandralock.RemoteLock;
import java.util.concurrent.locks.ReentrantLock;

/** Interrupts the thread that works under a lock when the lock is lost, and never after it has stopped working. */
final class WorkerInterrupt {

    private final Thread worker = Thread.currentThread();
    private final ReentrantLock guard = new ReentrantLock();
    private boolean working = true;
    private boolean interrupted;

    private WorkerInterrupt() {}

    static WorkerInterrupt whenLost(RemoteLock lock) {
        WorkerInterrupt interrupt = new WorkerInterrupt();
        lock.onLost(reason -> interrupt.interruptWorker());
        return interrupt;
    }

    private void interruptWorker() {
        guard.lock();
        try {
            if (working) {
                interrupted = true;
                worker.interrupt();
            }
        } finally {
            guard.unlock();
        }
    }

    /** Ends the watch. An interrupt that came from here is taken back, so that a pooled thread is not left with it. */
    void end() {
        guard.lock();
        try {
            working = false;
            if (interrupted) {
                Thread.interrupted();
            }
        } finally {
            guard.unlock();
        }
    }
}
