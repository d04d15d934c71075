package io.github.cassandralock.internal.steps;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order in which they were added. The thread that adds a task to an empty mailbox runs it, and
 * the tasks that are added meanwhile. State that only these tasks use needs no lock, and no thread waits for the tasks of
 * another thread. Thread-safe.
 */
public final class Mailbox implements Executor {

    /*
     * "latest" is a stack of the tasks that were added, with the latest on top. Null means that no thread runs tasks. The thread
     * that adds a task to null runs tasks until it sets null again. It takes the whole stack at once, leaves AT_WORK in its
     * place, and reverses the stack. The object is small, because every lock that is in use has a mailbox.
     */

    private record Letter(@Nullable Runnable task, @Nullable Letter before) {}

    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);
    private static final Letter AT_WORK = new Letter(null, null);

    private static final AtomicReferenceFieldUpdater<Mailbox, Letter> LATEST =
            AtomicReferenceFieldUpdater.newUpdater(Mailbox.class, Letter.class, "latest");

    @SuppressWarnings("UnusedVariable") // LATEST reads it
    private volatile @Nullable Letter latest;

    /**
     * Returns when the task has run. If tasks of this mailbox are running, on this or another thread, returns at once. The task then
     * runs after them.
     */
    @Override
    public void execute(Runnable task) {
        Letter before = LATEST.getAndUpdate(this, present -> new Letter(task, present));
        if (before == null) {
            do {
                runInOrder(LATEST.getAndSet(this, AT_WORK));
            } while (!LATEST.compareAndSet(this, AT_WORK, null));
        }
    }

    private static void runInOrder(@Nullable Letter newest) {
        Letter first = null;
        for (Letter letter = newest; letter != null && letter.task() != null; letter = letter.before()) {
            first = new Letter(letter.task(), first);
        }
        for (Letter letter = first; letter != null; letter = letter.before()) {
            if (letter.task() != null) {
                run(letter.task());
            }
        }
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            log.error("A task failed with an unexpected exception; the next tasks still run", e);
        }
    }
}
