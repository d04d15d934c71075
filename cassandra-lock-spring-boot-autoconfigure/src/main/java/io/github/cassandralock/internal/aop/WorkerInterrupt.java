package io.github.cassandralock.internal.aop;

import java.util.concurrent.locks.ReentrantLock;

/** Interrupts the thread that runs under locks when a lock is lost, but never after the end of the method. */
final class WorkerInterrupt {

    private final Thread worker = Thread.currentThread();
    private final ReentrantLock guard = new ReentrantLock();
    private boolean working = true;
    private boolean interrupted;

    private WorkerInterrupt() {}

    static WorkerInterrupt whenLost(Holds holds) {
        WorkerInterrupt interrupt = new WorkerInterrupt();
        holds.onLost(reason -> interrupt.interruptWorker());
        return interrupt;
    }

    private void interruptWorker() {
        guard.lock();
        try {
            if (working && !interrupted) {
                interrupted = true;
                worker.interrupt();
            }
        } finally {
            guard.unlock();
        }
    }

    /** Ends the watch. Clears an interrupt that this object has set, so that a pooled thread does not keep it. */
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
