package io.github.cassandralock.internal.startup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Metadata;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * What a session does before it is open, and that none is left open. Catches
 * uses that hang, failures without their reason, and sessions of the driver that nobody closes.
 */
@Timeout(20)
class ConnectingSessionTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    private final CqlSession opened = mock(CqlSession.class);
    private final LinkedBlockingQueue<CompletableFuture<CqlSession>> tries = new LinkedBlockingQueue<>();
    private final ConnectingSession session = ConnectingSession.begin(
            "connect",
            this::open,
            Optional.empty(),
            new StartReport(LoggerFactory.getLogger(ConnectingSessionTest.class), "The session", String::valueOf),
            Duration.ofMillis(100));

    private CompletionStage<CqlSession> open() {
        CompletableFuture<CqlSession> opening = new CompletableFuture<>();
        tries.add(opening);
        return opening;
    }

    private CompletableFuture<CqlSession> nextTry() throws InterruptedException {
        return tries.take();
    }

    @BeforeEach
    void letTheSessionClose() {
        when(opened.closeAsync()).thenReturn(CompletableFuture.completedFuture(null));
    }

    @AfterEach
    void endTheThread() {
        session.close();
    }

    @Test
    void failsWithTheReasonOfTheLastTryUntilItIsOpenAndThenPassesOn() throws InterruptedException {
        nextTry().completeExceptionally(new DriverTimeoutException("no node answers"));
        assertThatThrownBy(() -> session.execute("SELECT 1"))
                .isInstanceOf(DriverTimeoutException.class)
                .hasMessage("no node answers");
        assertThatThrownBy(session::getMetadata).hasMessage("no node answers");
        assertThat(session.executeAsync("SELECT 1").toCompletableFuture())
                .failsWithin(SOON)
                .withThrowableOfType(Exception.class)
                .withMessageContaining("no node answers");
        Metadata metadata = mock(Metadata.class);
        ResultSet result = mock(ResultSet.class);
        when(opened.getMetadata()).thenReturn(metadata);
        when(opened.execute(any(), eq(Statement.SYNC))).thenReturn(result);
        nextTry().complete(opened);
        await().untilAsserted(() -> assertThat(session.getMetadata()).isSameAs(metadata));
        assertThat(session.execute("SELECT 1")).isSameAs(result);
    }

    @Test
    void requestDuringTheFirstTryWaitsForItAndBlocksOnlyIfItIsSynchronous() throws InterruptedException {
        AsyncResultSet result = mock(AsyncResultSet.class);
        when(opened.execute(any(), eq(Statement.ASYNC))).thenReturn(CompletableFuture.completedFuture(result));
        CompletableFuture<AsyncResultSet> early =
                session.executeAsync("SELECT 1").toCompletableFuture();
        assertThat(early).isNotDone();
        nextTry().complete(opened);
        assertThat(early).succeedsWithin(SOON).isSameAs(result);
    }

    @Test
    void closesTheOpenSession() throws InterruptedException {
        nextTry().complete(opened);
        session.getMetadata();
        assertThat(session.isClosed()).isFalse();
        session.close();
        verify(opened).closeAsync();
        assertThat(session.isClosed()).isTrue();
    }

    @Test
    void closesASessionThatIsOpenedAfterTheEnd() throws InterruptedException {
        CompletableFuture<CqlSession> late = nextTry();
        session.close();
        late.complete(opened);
        verify(opened, timeout(SOON.toMillis())).closeAsync();
        assertThat(session.isClosed()).isTrue();
        assertThatThrownBy(() -> session.execute("SELECT 1"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
