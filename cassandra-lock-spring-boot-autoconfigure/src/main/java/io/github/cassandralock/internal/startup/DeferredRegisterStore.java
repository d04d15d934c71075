package io.github.cassandralock.internal.startup;

import io.github.cassandralock.exactlyonce.register.CompareAndSetAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterRefusedException;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.RegisterUnavailableException;
import io.github.cassandralock.exactlyonce.register.StoredValue;
import io.github.cassandralock.exactlyonce.register.WriteId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * A store of registers that is opened in the background, because that needs the store. Until it is open, requests fail
 * as those to a store that does not answer, with the reason: registers ask again. Thread-safe.
 */
public class DeferredRegisterStore implements RegisterStore, AutoCloseable {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Function<Throwable, String> explanation;
    private final RepeatedStart<RegisterStore> start;

    /**
     * @param opening may block
     * @param explanation says of a failure what happened and what to do
     */
    public DeferredRegisterStore(
            Callable<RegisterStore> opening, Function<Throwable, String> explanation, StartReport report) {
        this.explanation = explanation;
        this.start =
                new RepeatedStart<>("exactly-once-store", opening, DeferredRegisterStore::close, report, LONGEST_PAUSE);
    }

    /** Begins to open the store; the first request does the same. Does not wait for it. */
    public void begin() {
        start.begin();
    }

    /** Why the store cannot be used; empty if it is open. */
    public Optional<String> problem() {
        return start.created().isPresent()
                ? Optional.empty()
                : Optional.of(lastFailure().map(this::text).orElse("The store is being opened."));
    }

    /** Empty if no try has ended yet, and if the last one was successful. */
    private Optional<Throwable> lastFailure() {
        CompletableFuture<RegisterStore> current = start.current().toCompletableFuture();
        return current.isDone()
                ? current.handle(
                                (store, failure) -> Optional.ofNullable(failure).map(DeferredRegisterStore::cause))
                        .join()
                : Optional.empty();
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private String text(Throwable failure) {
        return failure instanceof CancellationException ? "The store was closed." : explanation.apply(failure);
    }

    private RegisterStore store(String register) {
        return start.created().orElseThrow(() -> notOpen(register, lastFailure()));
    }

    private RuntimeException notOpen(String register, Optional<Throwable> failure) {
        Throwable cause = failure.orElseGet(() -> new IllegalStateException("The store is being opened."));
        return cause instanceof CancellationException
                ? new RegisterRefusedException(
                        "The register " + register + " cannot be used: the store was closed with the application",
                        cause)
                : new RegisterUnavailableException(
                        "The register " + register + " cannot be used yet, and nothing was written: "
                                + failure.map(this::text).orElse("The store is being opened.")
                                + " The application tries again every few seconds",
                        cause);
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
