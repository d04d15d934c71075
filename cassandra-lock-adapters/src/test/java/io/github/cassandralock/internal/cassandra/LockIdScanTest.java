package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.LockSerialConsistency;
import io.github.cassandralock.internal.inspect.LockIds;
import io.github.cassandralock.internal.quorum.LocalQuorum;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A scan of a table with many deleted partitions, of which Cassandra passes a bounded number in one read. Would catch a scan that
 * never gets past them, leaves a lock out, or reveals ids by the names of its parts.
 */
class LockIdScanTest {

    private static final int MOST = 100;
    private static final int DEAD_IN_ONE_READ = 1_000;
    private static final int MANY_PARTS = 5_000;

    private final Node node = mock(Node.class);
    private final CqlSession session = mock(CqlSession.class);
    private final LockIdScan scan = scan();

    /** The live lock id at a token; empty for a deleted partition. */
    private final NavigableMap<Long, Optional<String>> partitions = new TreeMap<>();

    private final Random random = new Random(7);

    private LockIdScan scan() {
        QualifiedTable table = new QualifiedTable(CqlIdentifier.fromInternal("ks"), LockTable.SLOTS);
        CqlRequests requests = new CqlRequests(
                () -> session,
                LockConsistency.QUORUM,
                LockSerialConsistency.SERIAL,
                LocalQuorum.NOT_USED,
                StoredIds.WITHOUT_PREFIX,
                RequestObserver.NONE);
        return new LockIdScan(table.cql(), new TableRequests(table, requests));
    }

    @BeforeEach
    void answerFromThePartitions() {
        doAnswer(call -> answer(call.getArgument(0, SimpleStatement.class)))
                .when(session)
                .executeAsync(any(Statement.class));
    }

    private void answerWith(DriverException failure) {
        doReturn(CompletableFuture.failedFuture(failure)).when(session).executeAsync(any(Statement.class));
    }

    private ReadFailureException readFailure() {
        return new ReadFailureException(node, ConsistencyLevel.QUORUM, 0, 1, 1, false, Map.of());
    }

    private CompletionStage<AsyncResultSet> answer(SimpleStatement statement) {
        List<Object> values = statement.getPositionalValues();
        long after = (Long) values.get(0);
        long end = values.size() == 3 ? (Long) values.get(1) : Long.MAX_VALUE;
        List<Row> rows = new ArrayList<>();
        int dead = 0;
        for (Map.Entry<Long, Optional<String>> partition :
                partitions.subMap(after, false, end, true).entrySet()) {
            if (partition.getValue().isPresent()) {
                rows.add(row(partition.getKey(), partition.getValue().get()));
            } else if (++dead > DEAD_IN_ONE_READ) {
                return CompletableFuture.failedFuture(readFailure());
            }
            if (rows.size() == MOST) {
                break;
            }
        }
        return CompletableFuture.completedFuture(result(statement, rows));
    }

    private static AsyncResultSet result(SimpleStatement statement, List<Row> rows) {
        ExecutionInfo info = mock(ExecutionInfo.class);
        when(info.getRequest()).thenReturn(statement);
        AsyncResultSet result = mock(AsyncResultSet.class);
        when(result.getExecutionInfo()).thenReturn(info);
        when(result.currentPage()).thenReturn(rows);
        return result;
    }

    private static Row row(long position, String lockId) {
        Row row = mock(Row.class);
        when(row.getLong("position")).thenReturn(position);
        when(row.getString("lock_id")).thenReturn(lockId);
        return row;
    }

    private void addDead(int count) {
        random.longs(count).forEach(token -> partitions.put(token, Optional.empty()));
    }

    private void addLive(int count) {
        random.longs(count).forEach(token -> partitions.put(token, Optional.of("invoice:" + token)));
    }

    private LockIds part(String name) {
        return scan.lockIds(name, MOST).toCompletableFuture().join();
    }

    private List<LockIds> parts() {
        List<LockIds> parts = new ArrayList<>();
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            assertThat(parts).as("parts of one scan").hasSizeLessThan(MANY_PARTS);
            parts.add(part(next.get()));
            next = parts.get(parts.size() - 1).next();
        }
        return parts;
    }

    private static List<String> ids(List<LockIds> parts) {
        return parts.stream().flatMap(part -> part.lockIds().stream()).toList();
    }

    private String[] live() {
        return partitions.values().stream().flatMap(Optional::stream).toArray(String[]::new);
    }

    @Test
    void emptyTableIsOnePart() {
        assertThat(parts()).containsExactly(new LockIds(List.of(), Optional.empty(), Optional.empty()));
    }

    @Test
    void scanPassesDeletedPartitionsOfABusyNight() {
        addDead(50_000);
        addLive(30);

        List<LockIds> parts = parts();

        assertThat(ids(parts)).containsExactly(live());
        assertThat(parts).allMatch(part -> part.unread().isEmpty());
        assertThat(parts).as("parts for 50 times the bound").hasSizeLessThan(300);
    }

    @Test
    void partsGrowAgainBehindDeletedPartitions() {
        random.longs(20_000, Long.MIN_VALUE + 1, Long.MIN_VALUE / 64 * 63)
                .forEach(token -> partitions.put(token, Optional.empty()));
        addLive(5_000);

        List<LockIds> parts = parts();

        assertThat(ids(parts)).containsExactly(live());
        assertThat(parts)
                .as("parts for 20 times the bound and for 50 times a hundred ids")
                .hasSizeLessThan(250);
    }

    @Test
    void smallestPartThatCannotBeReadIsReportedAndPassed() {
        long dense = 42L << 32;
        for (long token = dense; token < dense + 2_000; token++) {
            partitions.put(token, Optional.empty());
        }
        addLive(30);

        List<LockIds> parts = parts();

        assertThat(ids(parts)).containsExactly(live());
        assertThat(parts.stream().flatMap(part -> part.unread().stream()))
                .singleElement()
                .asString()
                .contains("lock_slots", "Locks may be missing", "The next page begins after that part");
    }

    @Test
    void lateReadFailsAndTheNextAttemptReadsHalf() {
        answerWith(new DriverTimeoutException("late"));
        assertThatThrownBy(() -> part("")).hasCauseInstanceOf(DriverTimeoutException.class);
        answerFromThePartitions();
        assertThat(part("").next()).isPresent();
    }

    @Test
    void otherFailureDoesNotMakePartsSmaller() {
        answerWith(new UnavailableException(node, ConsistencyLevel.QUORUM, 1, 0));
        assertThatThrownBy(() -> part("")).hasCauseInstanceOf(UnavailableException.class);
        answerFromThePartitions();
        assertThat(part("").next()).isEmpty();
    }

    @Test
    void nameOfAPartRevealsNoLockId() {
        addLive(MOST + 1);
        assertThat(part("").next()).hasValueSatisfying(name -> assertThat(name).matches("-?[0-9]{1,19}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"_w", "!", "aW52b2ljZToy", "+5", "05", "-0", "٥", " 5", "5.0", "9223372036854775808"})
    void onlyNamesOfPartsAreAccepted(String name) {
        assertThatThrownBy(() -> part(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("begin with the first page");
    }
}
