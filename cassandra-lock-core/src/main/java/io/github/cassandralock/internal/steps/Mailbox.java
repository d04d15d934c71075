package io.github.cassandralock.internal.steps;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks one at a time, in the order in which they came, on the thread of whoever comes while it is empty. What only
 * its tasks touch needs no lock; nobody ever waits for another's task. Thread-safe.
 */
public final class Mailbox implements Executor {

    /*
     * A stack of what has come, latest on top. Null: nobody is at work here. Who pushes onto null is at work until it
     * puts null back; it takes everything at once, leaving the mark that somebody is at work, and turns it round. Small,
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
