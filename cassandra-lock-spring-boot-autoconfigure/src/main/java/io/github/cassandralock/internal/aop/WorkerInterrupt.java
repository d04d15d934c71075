package io.github.cassandralock.internal.aop;

/** Interrupts the thread that runs under locks when a lock is lost, but never after the end of the method. */
final class WorkerInterrupt {

    private final Thread worker = Thread.currentThread();
    private boolean working = true;
    private boolean interrupted;

    private WorkerInterrupt() {}

    static WorkerInterrupt whenLost(Holds holds) {
        WorkerInterrupt interrupt = new WorkerInterrupt();
        holds.onLost(reason -> interrupt.interruptWorker());
        return interrupt;
    }

    private synchronized void interruptWorker() {
        if (working && !interrupted) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** Ends the watch. Clears an interrupt that this object has set, so that a pooled thread does not keep it. */
    synchronized void end() {
        working = false;
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
