package io.github.cassandralock.internal.startup;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.context.DriverContext;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import com.datastax.oss.driver.api.core.metrics.Metrics;
import com.datastax.oss.driver.api.core.session.Request;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.api.core.type.reflect.GenericType;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The application's session to Cassandra, which is opened in the background: the application starts although no node can be
 * reached. As long as it is not open, every use fails with the exception with which the last try to open it has failed. A use
 * before the first try has ended waits for that: an asynchronous one without blocking, any other one for at most ten seconds.
 * Thread-safe.
 */
public final class ConnectingSession implements CqlSession {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The driver warns of each try. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final RepeatedStart<CqlSession> start;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    private ConnectingSession(RepeatedStart<CqlSession> start) {
        this.start = start;
    }

    /**
     * Begins to open the session.
     *
     * @param opening opens the driver's session without blocking; called once for each try
     */
    public static ConnectingSession begin(Supplier<CompletionStage<CqlSession>> opening, StartReport report) {
        RepeatedStart<CqlSession> start = new RepeatedStart<>(
                "cassandra-lock-connect", () -> open(opening), Session::closeAsync, report, LONGEST_PAUSE);
        start.begin();
        return new ConnectingSession(start);
    }

    /** Closes a session that is opened after the thread was interrupted: the driver cannot be told to stop. */
    private static CqlSession open(Supplier<CompletionStage<CqlSession>> opening) throws Exception {
        CompletableFuture<CqlSession> opened = opening.get().toCompletableFuture();
        try {
            return opened.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (InterruptedException e) {
            opened.thenAccept(Session::closeAsync);
            throw e;
        }
    }

    private CqlSession connected() {
        try {
            return start.current().toCompletableFuture().get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | CancellationException e) {
            throw failure(e);
        } catch (TimeoutException e) {
            throw new DriverTimeoutException("The session to Cassandra is not open yet; it is being opened");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DriverTimeoutException(
                    "The thread was interrupted while the session to Cassandra was being opened");
        }
    }

    /** A copy of the driver's exception: each has the stack trace of its own caller. */
    private static RuntimeException failure(Exception wrapper) {
        Throwable cause = wrapper instanceof ExecutionException ? wrapper.getCause() : wrapper;
        if (cause instanceof DriverException driver) {
            return driver.copy();
        }
        if (cause instanceof CancellationException) {
            return new IllegalStateException("Session is closed");
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
    }

    @Override
    @SuppressWarnings("unchecked") // the result of a request for a stage is a stage
    public <RequestT extends Request, ResultT> @Nullable ResultT execute(RequestT request, GenericType<ResultT> type) {
        if (start.created().isEmpty() && type.getRawType() == CompletionStage.class) {
            return (ResultT) start.current().thenCompose(session -> stage(session, request, type));
        }
        return connected().execute(request, type);
    }

    private static <RequestT extends Request> CompletionStage<?> stage(
            CqlSession session, RequestT request, GenericType<?> type) {
        return (CompletionStage<?>) session.execute(request, type);
    }

    @Override
    public String getName() {
        return start.created().map(Session::getName).orElse("not connected yet");
    }

    @Override
    public Metadata getMetadata() {
        return connected().getMetadata();
    }

    @Override
    public boolean isSchemaMetadataEnabled() {
        return connected().isSchemaMetadataEnabled();
    }

    @Override
    public CompletionStage<Metadata> setSchemaMetadataEnabled(@Nullable Boolean enabled) {
        return start.current().thenCompose(session -> session.setSchemaMetadataEnabled(enabled));
    }

    @Override
    public CompletionStage<Metadata> refreshSchemaAsync() {
        return start.current().thenCompose(Session::refreshSchemaAsync);
    }

    @Override
    public CompletionStage<Boolean> checkSchemaAgreementAsync() {
        return start.current().thenCompose(Session::checkSchemaAgreementAsync);
    }

    @Override
    public DriverContext getContext() {
        return connected().getContext();
    }

    @Override
    public Optional<CqlIdentifier> getKeyspace() {
        return connected().getKeyspace();
    }

    @Override
    public Optional<Metrics> getMetrics() {
        return start.created().flatMap(Session::getMetrics);
    }

    @Override
    public CompletionStage<Void> closeFuture() {
        return closed.minimalCompletionStage();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return close(Session::closeAsync);
    }

    @Override
    public CompletionStage<Void> forceCloseAsync() {
        return close(Session::forceCloseAsync);
    }

    private CompletionStage<Void> close(Function<CqlSession, CompletionStage<Void>> closing) {
        CqlSession open = start.close();
        if (open == null) {
            closed.complete(null);
        } else {
            closing.apply(open).whenComplete((done, failure) -> closed.complete(null));
        }
        return closed.minimalCompletionStage();
    }
}
