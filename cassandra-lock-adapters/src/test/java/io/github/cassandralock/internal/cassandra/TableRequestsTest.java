package io.github.cassandralock.internal.cassandra;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.RequestThrottlingException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.BootstrappingException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.store.WriteOutcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * How statements are prepared at the start while nodes have errors, what they are sent with, and what becomes of failures. The
 * driver's failures are made here.
 */
class TableRequestsTest {

    /** What application code receives has lost the driver's exception. */
    private record LosingPort(CqlSession session) implements CqlPort {

        @Override
        public RuntimeException translated(@Nullable String cql, DriverException failure) {
            return new IllegalArgumentException("something failed in " + cql);
        }
    }

    private final Node node = mock(Node.class);
    private final CqlSession session = mock(CqlSession.class);
    private final PreparedStatement prepared = mock(PreparedStatement.class);
    private final TableRequests requests = new TableRequests(
            new QualifiedTable(CqlIdentifier.fromInternal("ks"), LockTable.SLOTS),
            new CqlRequests(
                    new LosingPort(session),
                    LockConsistency.QUORUM,
                    LockSerialConsistency.SERIAL,
                    LocalQuorum.NOT_USED,
                    StoredIds.WITHOUT_PREFIX,
                    RequestObserver.NONE));

    private AllNodesFailedException failed(Throwable cause) {
        return AllNodesFailedException.fromErrors(List.of(Map.entry(node, cause)));
    }

    /** @param failures 1 for the statement that is sent ahead, and more for its retries */
    private void isPreparedAfter(DriverException failure, int failures) {
        AtomicInteger left = new AtomicInteger(failures);
        when(session.prepareAsync(any(SimpleStatement.class)))
                .thenAnswer(request -> left.getAndDecrement() > 0
                        ? CompletableFuture.failedFuture(failure)
                        : CompletableFuture.completedFuture(prepared));
    }

    /** Seen when three instances created the tables at the same time. */
    @Test
    void statementIsPreparedAgainAfterAnErrorOfTheServer() {
        AllNodesFailedException unready =
                failed(new ServerError(node, "java.lang.IllegalArgumentException: Unknown CF"));
        isPreparedAfter(unready, 2);
        assertThat(requests.prepare(requests.idempotent("SELECT 1"))).containsExactly(prepared);
    }

    /** Seen when one node of three had missed the creation of the table. */
    @Test
    void statementIsPreparedAgainIfTheNodeThatWasAskedDoesNotKnowTheTableYet() {
        InvalidQueryException late = new InvalidQueryException(node, "table lock_slots does not exist");
        isPreparedAfter(late, 2);
        assertThat(requests.prepare(requests.idempotent("SELECT 1"))).containsExactly(prepared);
    }

    @Test
    void statementThatCannotBeRightIsToldAtOnceWithWhatToDo() {
        InvalidQueryException wrong = new InvalidQueryException(node, "Undefined column name carry");
        when(session.prepareAsync(any(SimpleStatement.class))).thenReturn(CompletableFuture.failedFuture(wrong));
        assertThatThrownBy(() -> requests.prepare(requests.idempotent("SELECT 1")))
                .isInstanceOf(LockSchemaException.class)
                .hasMessageContaining("Undefined column name carry");
        verify(session, times(2)).prepareAsync(any(SimpleStatement.class));
    }

    /** Seen when a start met one answer that took longer than the driver's time-out. */
    @Test
    void statementIsPreparedAgainIfTheAnswerIsLate() {
        isPreparedAfter(new DriverTimeoutException("late"), 3);
        assertThat(requests.prepare(requests.idempotent("SELECT 1"))).containsExactly(prepared);
    }

    @Test
    void statementsArePreparedAtTheSameTimeAndReturnedInTheirOrder() {
        PreparedStatement other = mock(PreparedStatement.class);
        CompletableFuture<PreparedStatement> first = new CompletableFuture<PreparedStatement>().orTimeout(10, SECONDS);
        when(session.prepareAsync(requests.idempotent("SELECT 1"))).thenReturn(first);
        when(session.prepareAsync(requests.idempotent("SELECT 2"))).thenAnswer(second -> {
            first.complete(prepared);
            return CompletableFuture.completedFuture(other);
        });
        assertThat(requests.prepare(requests.idempotent("SELECT 1"), requests.idempotent("SELECT 2")))
                .containsExactly(prepared, other);
    }

    /** An application may limit how many requests are under way. */
    @Test
    void statementsArePreparedOneByOneIfTheDriverSendsOneAtATime() {
        AtomicBoolean busy = new AtomicBoolean();
        when(session.prepareAsync(any(SimpleStatement.class)))
                .thenAnswer(request -> busy.getAndSet(true)
                        ? CompletableFuture.failedFuture(new RequestThrottlingException("one at a time"))
                        : new CompletableFuture<PreparedStatement>()
                                .completeOnTimeout(prepared, 1, MILLISECONDS)
                                .whenComplete((answer, failure) -> busy.set(false)));
        assertThat(requests.prepare(
                        requests.idempotent("SELECT 1"),
                        requests.idempotent("SELECT 2"),
                        requests.idempotent("SELECT 3")))
                .hasSize(3);
    }

    static Stream<DriverException> failuresThatPass() {
        Node node = mock(Node.class);
        return Stream.of(
                new NoNodeAvailableException(),
                new RequestThrottlingException("too many requests"),
                AllNodesFailedException.fromErrors(List.of(Map.entry(node, new OverloadedException(node)))),
                AllNodesFailedException.fromErrors(List.of(Map.entry(node, new BootstrappingException(node)))),
                AllNodesFailedException.fromErrors(List.of(Map.entry(node, new NodeUnavailableException(node)))),
                AllNodesFailedException.fromErrors(
                        List.of(Map.entry(node, new ClosedConnectionException("closed by the node")))));
    }

    @ParameterizedTest
    @MethodSource("failuresThatPass")
    void statementIsPreparedAgainAfterFailuresThatPass(DriverException failure) {
        isPreparedAfter(failure, 2);
        assertThat(requests.prepare(requests.idempotent("SELECT 1"))).containsExactly(prepared);
    }

    @Test
    void startFailsIfNoPreparationIsAnswered() {
        DriverTimeoutException late = new DriverTimeoutException("late");
        when(session.prepareAsync(any(SimpleStatement.class))).thenReturn(CompletableFuture.failedFuture(late));
        assertThatThrownBy(() -> requests.prepare(requests.idempotent("SELECT 1")))
                .isInstanceOf(DriverTimeoutException.class)
                .hasMessage("late");
        verify(session, times(4)).prepareAsync(any(SimpleStatement.class));
    }

    @Test
    void missingPermissionIsReportedAtOnce() {
        UnauthorizedException refusal = new UnauthorizedException(node, "no permission");
        when(session.prepareAsync(any(SimpleStatement.class))).thenReturn(CompletableFuture.failedFuture(refusal));
        assertThatThrownBy(() -> requests.prepare(requests.idempotent("SELECT 1")))
                .hasCause(refusal);
        verify(session, times(2)).prepareAsync(any(SimpleStatement.class));
    }

    private void fails(DriverException failure) {
        ExecutionInfo only = mock(ExecutionInfo.class);
        failure.setExecutionInfo(only);
        when(session.executeAsync(any(Statement.class)))
                .thenReturn(CompletableFuture.failedFuture(new CompletionException(failure)));
    }

    private static void assertLost(@Nullable Throwable shown) {
        assertThat(shown).isInstanceOf(IllegalArgumentException.class).hasMessage("something failed in SELECT 1");
    }

    @Test
    void unknownOutcomeStaysUnknownIfTheTranslationLosesTheCause() {
        fails(new DriverTimeoutException("late"));
        assertThat(requests.write(requests.idempotent("SELECT 1")))
                .isCompletedWithValueMatching(outcome -> outcome instanceof WriteOutcome.Unknown unknown
                        && unknown.cause() instanceof IllegalArgumentException);
    }

    @Test
    void refusalStaysARefusalIfTheTranslationLosesTheCause() {
        fails(new UnauthorizedException(node, "User teller has no MODIFY permission"));
        WriteOutcome outcome = requests.write(requests.idempotent("SELECT 1"))
                .toCompletableFuture()
                .join();
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        WriteOutcome.NotApplied.class,
                        refused -> assertThat(RefusedRequestException.in(refused.cause()))
                                .hasValueSatisfying(refusal -> {
                                    assertThat(refusal).hasMessageContainingAll("teller", "GRANT MODIFY");
                                    assertLost(refusal.getCause());
                                }));
        assertThat(requests.compareAndSet(
                        requests.idempotent("SELECT 1"), answer -> "done", failure -> failure.getMessage()))
                .isCompletedWithValueMatching(refusal -> refusal.contains("GRANT MODIFY"));
    }

    @Test
    void failedReadShowsTheTranslation() {
        fails(new DriverTimeoutException("late"));
        assertThatThrownBy(() -> requests.read(requests.idempotent("SELECT 1"), answer -> answer)
                        .toCompletableFuture()
                        .join())
                .satisfies(thrown -> assertLost(thrown.getCause()));
    }

    @Test
    void statementsAreSentWithSettingsOfTheirOwn() {
        List<SimpleStatement> statements = List.of(
                requests.idempotent("SELECT 1"), requests.conditional("SELECT 1"), requests.serialRead("SELECT 1"));
        assertThat(statements).allSatisfy(statement -> {
            assertThat(statement.getConsistencyLevel()).isNotNull();
            assertThat(statement.getSerialConsistencyLevel()).isEqualTo(ConsistencyLevel.SERIAL);
            assertThat(statement.getPageSize()).isPositive();
            assertThat(statement.isIdempotent()).isNotNull();
            assertThat(statement.getKeyspace()).isNull();
            assertThat(statement.isTracing()).isFalse();
        });
        assertThat(requests.readOfManyRows("SELECT 1").getPageSize())
                .isEqualTo(TableRequests.ONE_PAGE)
                .isGreaterThan(statements.get(0).getPageSize());
        assertThat(statements)
                .extracting(SimpleStatement::getConsistencyLevel)
                .containsExactly(ConsistencyLevel.QUORUM, ConsistencyLevel.QUORUM, ConsistencyLevel.SERIAL);
        assertThat(statements).extracting(SimpleStatement::isIdempotent).containsExactly(true, false, true);
    }

    @Test
    void timestampsIncrease() {
        assertThat(IntStream.range(0, 10_000).mapToLong(i -> requests.timestamp()))
                .isSorted()
                .doesNotHaveDuplicates();
    }
}
