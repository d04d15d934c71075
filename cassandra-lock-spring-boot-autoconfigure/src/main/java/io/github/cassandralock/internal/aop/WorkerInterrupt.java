package io.github.cassandralock.internal.aop;

/** Interrupts the thread that runs under locks when a lock is lost, but never after the end of the method. */
final class WorkerInterrupt {

    private final Holds holds;
    private final Runnable interrupt = this::interruptWorker;
    private final Thread worker = Thread.currentThread();
    private boolean working = true;
    private boolean interrupted;

    private WorkerInterrupt(Holds holds) {
        this.holds = holds;
    }

    static WorkerInterrupt whenLost(Holds holds) {
        WorkerInterrupt interrupt = new WorkerInterrupt(holds);
        holds.all().forEach(hold -> hold.interruptWhenLost(interrupt.interrupt));
        return interrupt;
    }

    private synchronized void interruptWorker() {
        if (working && !interrupted) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** Ends the watch. Clears an interrupt that this object has set, so that a pooled thread does not keep it. */
    void end() {
        holds.all().forEach(hold -> hold.forget(interrupt));
        stop();
    }

    private synchronized void stop() {
        working = false;
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
