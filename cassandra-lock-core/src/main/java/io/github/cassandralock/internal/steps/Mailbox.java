package io.github.cassandralock.internal.steps;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order in which they came, on the thread that adds a task while it is empty. State that
 * only its tasks use needs no lock; no thread waits for the task of another. Thread-safe.
 */
public final class Mailbox implements Executor {

    /*
     * A stack of the tasks that have come, latest on top. Null: no thread runs tasks. The thread that pushes onto null runs
     * tasks until it puts null back; it takes the whole stack at once, leaves AT_WORK in its place, and reverses it. Small,
     * because there is a mailbox for every lock that is held.
     */

    private record Letter(@Nullable Runnable task, @Nullable Letter before) {}

    private static final Logger log = LoggerFactory.getLogger(Mailbox.class);
    private static final Letter AT_WORK = new Letter(null, null);

    private final AtomicReference<@Nullable Letter> latest = new AtomicReference<>();

    /** Returns when the task has run, or at once if another thread is at work here, which then runs it. */
    @Override
    public void execute(Runnable task) {
        Letter before = latest.getAndUpdate(present -> new Letter(task, present));
        if (before == null) {
            do {
                runInOrder(latest.getAndSet(AT_WORK));
            } while (!latest.compareAndSet(AT_WORK, null));
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
            log.error("A step failed in a way that it should not; the next ones go on", e);
        }
    }
}
