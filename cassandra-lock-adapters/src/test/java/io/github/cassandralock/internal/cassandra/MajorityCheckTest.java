package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.majority.Maturity;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.internal.store.Beat;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.SessionRow;
import io.github.cassandralock.internal.store.SessionState;
import io.github.cassandralock.internal.store.SessionStore;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The start looks once, at a time at which there may be no quorum; each opening of a session looks again. */
class MajorityCheckTest {

    private static final SessionRow ROW = new SessionRow(
            new SessionState(new Beat(0, new UUID(0, 7)), true), Duration.ofSeconds(15), 0.01, "a", Optional.empty());

    private CompletionStage<Optional<Birth>> birthRow = CompletableFuture.completedFuture(Optional.empty());
    private final MajorityCheck check = new MajorityCheck(() -> birthRow, CqlIdentifier.fromInternal("locks"));

    private CompletableFuture<Void> checked() {
        return check.beforeSession().toCompletableFuture();
    }

    @Test
    void birthRowThatCouldNotBeReadAtTheStartIsReadBeforeASessionIsOpened() {
        birthRow = CompletableFuture.failedFuture(new TimeoutException("no quorum"));
        check.requireNoMajority();
        assertThat(checked()).isCompletedExceptionally();
        birthRow = CompletableFuture.completedFuture(
                Optional.of(new Birth(new UUID(0, 9), "cluster a of a,b,c", Maturity.MATURE)));
        assertThatThrownBy(() -> checked().join())
                .hasCauseInstanceOf(RefusedRequestException.class)
                .hasMessageContaining("belong to the algorithm 'majority' (cluster a of a,b,c)")
                .hasMessageContaining("DELETE FROM locks.lock_sessions WHERE session = ");
    }

    @Test
    void sessionMayBeOpenedIfThereIsNoBirthRow() {
        check.requireNoMajority();
        assertThat(checked()).isCompleted();
    }

    @Test
    void noSessionIsOpenedIfTheCheckFails() {
        CqlSession cassandra = mock(CqlSession.class);
        when(cassandra.prepareAsync(any(SimpleStatement.class)))
                .thenReturn(CompletableFuture.completedFuture(mock(PreparedStatement.class)));
        CqlRequests requests = new CqlRequests(
                () -> cassandra,
                LockConsistency.QUORUM,
                LockSerialConsistency.SERIAL,
                LocalQuorum.NOT_USED,
                StoredIds.WITHOUT_PREFIX,
                RequestObserver.NONE);
        SessionStore sessions = new CassandraSessionStore(
                requests,
                new QualifiedTable(CqlIdentifier.fromInternal("locks"), LockTable.SESSIONS),
                check::beforeSession);
        birthRow = CompletableFuture.failedFuture(new TimeoutException("no quorum"));
        assertThat(sessions.open(new UUID(0, 8), ROW, Duration.ofSeconds(30)).toCompletableFuture())
                .isCompletedExceptionally();
        verify(cassandra, never()).executeAsync(any(Statement.class));
    }
}
