package io.github.cassandralock.exactlyonce.handler;

import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.CopyThread;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One copy of a handler: one thread that does the handler's work, beside any number of copies in this and other processes that do
 * the same. It may be killed at any time and leaves nothing undone; one copy that is left finishes alone. Thread-safe.
 */
public final class HandlerCopy implements AutoCloseable {

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);

    private final HandlerProtocol<?> protocol;
    private final CopyThread thread;

    /**
     * A copy that is not started. Does no I/O.
     *
     * @param definition equal in all copies
     * @param copyName the name of this copy, for the name of its thread
     * @param listener told what this copy does
     * @param environment the clock, the pauses and the thread
     */
    public HandlerCopy(
            HandlerDefinition<?> definition, String copyName, HandlerListener listener, CopyEnvironment environment) {
        SafeHandlerListener safe = new SafeHandlerListener(listener);
        protocol = new HandlerProtocol<>(definition, environment.calendar(), environment.pauser(), safe);
        thread = new CopyThread(
                "exactly-once-" + definition.name() + "-" + copyName,
                environment.threads(),
                protocol::run,
                cause -> safe.failed(definition.name(), cause));
    }

    /**
     * Starts the thread. Does no I/O in the caller's thread.
     *
     * @throws IllegalStateException if the copy was started or closed before
     */
    public void start() {
        thread.start();
    }

    /** Interrupts the thread and waits for its end, 10 s at most. If the caller is interrupted, it keeps the interrupt. */
    @Override
    public void close() {
        try {
            close(LONGEST_CLOSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Interrupts the thread and waits for its end. What was under way is finished by another copy, or by this handler's next start.
     *
     * @param longest how long to wait at most
     * @return whether the thread has ended; false also if a user's function or listener calls this from the copy's own thread
     * @throws InterruptedException if the caller was interrupted while it waited
     */
    public boolean close(Duration longest) throws InterruptedException {
        return thread.close(longest);
    }

    /** Whether the copy was started and has not ended. */
    public boolean isRunning() {
        return thread.isRunning();
    }

    /** Why the copy ended although nobody closed it. It does not begin again by itself: the cause is one that stays. */
    public Optional<Throwable> failure() {
        return thread.failure();
    }

    /** How far the handler is, as this copy has seen it last; empty until it has read the state. */
    public Optional<HandlerPosition> position() {
        return protocol.lastSeen()
                .map(seen -> new HandlerPosition(
                        seen.state().step(),
                        seen.state().phase().text(),
                        seen.state().inputs().entrySet().stream()
                                .collect(Collectors.toUnmodifiableMap(
                                        Map.Entry::getKey,
                                        input -> input.getValue().index()))));
    }
}
