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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The application's session to Cassandra, opened in the background: the application starts even if no node can be reached. Until
 * the session is open, every use fails with the exception of the last try. A use before the end of the first try waits:
 * asynchronously without blocking; otherwise for ten seconds at most. Thread-safe.
 */
public class ConnectingSession implements CqlSession {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final RepeatedStart<CqlSession> start;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();

    /** Not private, so that aspects of the application can make proxies. */
    ConnectingSession(RepeatedStart<CqlSession> start) {
        this.start = start;
    }

    /**
     * Begins to open the session.
     *
     * @param threadName the thread ends when the session is open or closed
     * @param opening opens the driver's session without blocking; called once for each try in which a contact point answers
     * @param contactPoints empty if there are none, so that each try opens a session
     * @param longestPause between two tries
     */
    public static ConnectingSession begin(
            String threadName,
            Supplier<CompletionStage<CqlSession>> opening,
            Optional<ContactPoints> contactPoints,
            StartReport report,
            Duration longestPause) {
        RepeatedStart<CqlSession> start = new RepeatedStart<>(
                threadName, progress -> open(opening, contactPoints), Session::closeAsync, report, longestPause);
        start.begin();
        return new ConnectingSession(start);
    }

    /** Closes a session that opens after the thread was interrupted, because the driver cannot be stopped. */
    private static CqlSession open(Supplier<CompletionStage<CqlSession>> opening, Optional<ContactPoints> contactPoints)
            throws Exception {
        if (contactPoints.isPresent()) {
            contactPoints.get().requireAnswer();
        }
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
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } catch (TimeoutException e) {
            throw marked(new DriverTimeoutException("The session to Cassandra is not open yet; it is being opened"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DriverTimeoutException(
                    "The thread was interrupted while the session to Cassandra was being opened");
        }
    }

    /** Copies the driver's exception, so each has the stack trace of its own caller. */
    private RuntimeException failure(@Nullable Throwable refusal) {
        if (!(refusal instanceof NotStartedException problem) || problem.isClosed()) {
            return new IllegalStateException("Session is closed");
        }
        Throwable cause = problem.failure();
        return marked(
                cause instanceof DriverException driver
                        ? driver.copy()
                        : new IllegalStateException(cause.getMessage(), cause));
    }

    private RuntimeException marked(RuntimeException failure) {
        failure.addSuppressed(new NotOpenMark(start));
        return failure;
    }

    /** Returns the session, once the first try has ended. */
    private CompletionStage<CqlSession> current() {
        return start.current()
                .exceptionallyCompose(refusal -> CompletableFuture.failedStage(failure(
                        refusal instanceof CompletionException && refusal.getCause() != null
                                ? refusal.getCause()
                                : refusal)));
    }

    @Override
    @SuppressWarnings("unchecked") // the result of a request for a stage is a stage
    public <RequestT extends Request, ResultT> @Nullable ResultT execute(RequestT request, GenericType<ResultT> type) {
        if (start.created().isEmpty() && type.getRawType() == CompletionStage.class) {
            return (ResultT) current().thenCompose(session -> stage(session, request, type));
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
        return current().thenCompose(session -> session.setSchemaMetadataEnabled(enabled));
    }

    @Override
    public CompletionStage<Metadata> refreshSchemaAsync() {
        return current().thenCompose(Session::refreshSchemaAsync);
    }

    @Override
    public CompletionStage<Boolean> checkSchemaAgreementAsync() {
        return current().thenCompose(Session::checkSchemaAgreementAsync);
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
