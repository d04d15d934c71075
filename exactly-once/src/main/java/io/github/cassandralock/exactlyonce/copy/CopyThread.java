package io.github.cassandralock.exactlyonce.copy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread that repeats the steps of a copy until it is closed or fails for good. It runs once. Thread-safe. */
public final class CopyThread {

    private static final Logger log = LoggerFactory.getLogger(CopyThread.class);

    /** What the thread does: returns only by an exception. */
    @FunctionalInterface
    public interface Body {
        /**
         * Repeats steps for ever.
         *
         * @throws InterruptedException when the thread is interrupted, which is how it ends
         */
        void run() throws InterruptedException;
    }

    private enum Stage {
        NEW,
        RUNNING,
        CLOSING
    }

    private final Body body;
    private final Consumer<Throwable> onFailure;
    private final Thread thread;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.NEW);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    /**
     * A thread that is not started.
     *
     * @param name of the thread
     * @param threads makes it
     * @param body what it does
     * @param onFailure told, by the thread, that it ends although nobody closed it
     */
    public CopyThread(String name, ThreadFactory threads, Body body, Consumer<Throwable> onFailure) {
        this.body = body;
        this.onFailure = onFailure;
        thread = threads.newThread(this::runUntilInterrupted);
        thread.setName(name);
    }

    /**
     * Starts the thread.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        if (!stage.compareAndSet(Stage.NEW, Stage.RUNNING)) {
            throw new IllegalStateException(
                    "The copy " + thread.getName() + " was started or closed before: make a new one");
        }
        thread.start();
    }

    private void runUntilInterrupted() {
        if (stage.get() == Stage.CLOSING) {
            return;
        }
        try {
            body.run();
        } catch (Throwable e) {
            if (stage.get() == Stage.CLOSING) {
                log.debug("The copy {} was closed in the middle of its work", thread.getName(), e);
            } else {
                fail(e);
            }
        }
    }

    private void fail(Throwable cause) {
        failure.set(cause);
        log.error(
                "The copy {} ends: {}. Other copies go on if the cause is not theirs, too",
                thread.getName(),
                cause.getMessage(),
                cause);
        onFailure.accept(cause);
    }

    /**
     * Interrupts the thread and waits for its end. Called again, it waits again. Called by the thread itself, such as from a
     * listener, it does not wait.
     *
     * @param longest how long at most
     * @return whether the thread has ended
     * @throws InterruptedException if the caller was interrupted while it waited; the thread is interrupted anyway
     */
    public boolean close(Duration longest) throws InterruptedException {
        if (stage.getAndSet(Stage.CLOSING) == Stage.NEW) {
            return true;
        }
        thread.interrupt();
        if (Thread.currentThread().equals(thread)) {
            return false;
        }
        TimeUnit.NANOSECONDS.timedJoin(thread, longest.toNanos());
        return !thread.isAlive();
    }

    /** Whether the thread was started and has not ended. */
    public boolean isRunning() {
        return thread.isAlive();
    }

    /** Why the thread ended although nobody closed it. */
    public Optional<Throwable> failure() {
        return Optional.ofNullable(failure.get());
    }
}
