package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import io.github.cassandralock.internal.startup.Creation;
import io.github.cassandralock.internal.startup.NotStartedException;
import io.github.cassandralock.internal.startup.RepeatedStart;
import io.github.cassandralock.internal.startup.StartReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A store of registers that is opened in the background, because that needs the store. Requests wait for the end of the first try,
 * for five seconds at most. They then fail with the reason until the store is open. Registers retry them, as if the store did not
 * answer. Thread-safe.
 */
public class DeferredRegisterStore implements RegisterStore, AutoCloseable {

    /** An ordinary start takes less. A longer one is reported by the registers that retry. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final RepeatedStart<RegisterStore> start;

    /** @param longestPause between two tries to open it */
    public DeferredRegisterStore(Creation<RegisterStore> opening, StartReport report, Duration longestPause) {
        this.start =
                new RepeatedStart<>("exactly-once-store", opening, DeferredRegisterStore::close, report, longestPause);
    }

    /** Begins to open the store, if no request has begun that yet. Does not wait for it. */
    public void begin() {
        start.begin();
    }

    /** Why the store cannot be used; empty if it is open. */
    public Optional<String> problem() {
        return start.problem().map(NotStartedException::reason);
    }

    private RegisterStore store(String register) throws InterruptedException {
        awaitFirstTry();
        Optional<NotStartedException> problem = start.problem();
        if (problem.isPresent()) {
            throw notOpen(register, problem.get());
        }
        return start.created().orElseThrow(() -> notOpen(register, NotStartedException.closed()));
    }

    /** Begins it, if need be. Returns at once if it has ended. */
    private void awaitFirstTry() throws InterruptedException {
        try {
            start.current().toCompletableFuture().get(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // start.problem() has the reason.
        }
    }

    private static RuntimeException notOpen(String register, NotStartedException problem) {
        return problem.isClosed()
                ? new RegisterRefusedException(
                        "The register " + register + " cannot be used: the store was closed with the application",
                        problem)
                : new RegisterUnavailableException(
                        "The register " + register + " cannot be used yet, and nothing was written: " + problem.reason()
                                + " The application tries again every few seconds",
                        problem.failure());
    }

    @Override
    public StoredValue read(String name) throws InterruptedException {
        return store(name).read(name);
    }

    @Override
    public CompareAndSetAnswer compareAndSet(String name, long expected, byte[] value, WriteId writeId)
            throws InterruptedException {
        return store(name).compareAndSet(name, expected, value, writeId);
    }

    /** Ends the tries, or closes the store if it has to be closed. Requests are refused from then on. */
    @Override
    public void close() {
        RegisterStore opened = start.close();
        if (opened != null) {
            close(opened);
        }
    }

    private static void close(RegisterStore store) {
        if (store instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new IllegalStateException("The store of registers could not be closed: " + e.getMessage(), e);
            }
        }
    }
}
