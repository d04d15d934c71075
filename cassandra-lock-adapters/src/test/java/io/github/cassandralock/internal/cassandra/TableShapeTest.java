package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What an operator reads when a lock table was created by something else, or by an earlier version. Costs nothing. */
class TableShapeTest {

    private static final int DAY = 86_400;

    private static LockSchemaException refusal(Map<String, String> columns, List<String> key) {
        return catchThrowableOfType(
                LockSchemaException.class, () -> slots(columns, key).requireToMatch(DAY));
    }

    private static TableShape slots(Map<String, String> columns, List<String> key) {
        return new TableShape("ks", LockTable.SLOTS, columns, key, DAY);
    }

    private static Map<String, String> columnsWithout(String... names) {
        Map<String, String> columns = new LinkedHashMap<>(LockTable.SLOTS.columns());
        columns.keySet().removeAll(List.of(names));
        return columns;
    }

    @Test
    void definitionsOfSeveralTablesAreReadByTwoStatements() {
        CqlPort port = mock();
        CompletionStage<AsyncResultSet> columns = answer(
                column("lock_sessions", "session", 0),
                column("lock_slots", "slot", 1),
                column("lock_slots", "lock_id", 0));
        CompletionStage<AsyncResultSet> tables = answer(gcGrace("lock_slots"));
        when(port.execute(any())).thenReturn(columns).thenReturn(tables);
        assertThat(TableShape.request(
                                new StartStatements(port),
                                "ks",
                                List.of(LockTable.SLOTS, LockTable.SESSIONS, LockTable.WAITS))
                        .get())
                .containsExactly(
                        new TableShape(
                                "ks",
                                LockTable.SLOTS,
                                Map.of("slot", "text", "lock_id", "text"),
                                List.of("lock_id", "slot"),
                                DAY),
                        new TableShape("ks", LockTable.SESSIONS, Map.of("session", "text"), List.of("session"), -1),
                        new TableShape("ks", LockTable.WAITS, Map.of(), List.of(), -1));
        verify(port, times(2)).execute(any());
    }

    private static Row column(String table, String name, int position) {
        Row row = mock();
        when(row.getString("table_name")).thenReturn(table);
        when(row.getString("column_name")).thenReturn(name);
        when(row.getString("type")).thenReturn("text");
        when(row.getString("kind")).thenReturn("partition_key");
        when(row.getInt("position")).thenReturn(position);
        return row;
    }

    private static Row gcGrace(String table) {
        Row row = mock();
        when(row.getString("table_name")).thenReturn(table);
        when(row.getInt("gc_grace_seconds")).thenReturn(DAY);
        return row;
    }

    private static CompletionStage<AsyncResultSet> answer(Row... rows) {
        AsyncResultSet answer = mock();
        when(answer.currentPage()).thenReturn(List.of(rows));
        return CompletableFuture.completedFuture(answer);
    }

    @Test
    void tableOfThisVersionMatches() {
        assertThatCode(() -> slots(columnsWithout(), List.of("lock_id", "session", "slot"))
                        .requireToMatch(DAY))
                .doesNotThrowAnyException();
    }

    @Test
    void tableWithThePrimaryKeyOfAnEarlierVersionIsExplained() {
        LockSchemaException refusal = refusal(columnsWithout("slot"), List.of("lock_id", "session"));
        assertThat(refusal)
                .hasMessage("The table ks.lock_slots is of an earlier version of cassandra-lock: its primary key is"
                        + " (lock_id, session), but this version needs (lock_id, session, slot). Cassandra cannot change a"
                        + " primary key, and instances of the two versions cannot share the table.");
        assertThat(refusal.action())
                .contains("Stop all instances", "DROP TABLE ks.lock_slots;", "docs/guide/upgrading.md", "not exclude");
    }

    @Test
    void columnThatIsNotInThePrimaryKeyDoesNotMakeUpForIt() {
        assertThat(refusal(columnsWithout(), List.of("lock_id", "session")))
                .hasMessageContaining("its primary key is (lock_id, session)");
    }

    @Test
    void tableOfSomethingElseIsExplained() {
        assertThat(refusal(Map.of("lock_id", "text", "owner", "text"), List.of("lock_id")))
                .hasMessageContaining("Locks need the columns");
    }

    @Test
    void columnThatCanBeAddedIsNamedWithTheStatement() {
        LockSchemaException refusal = refusal(columnsWithout("mode"), List.of("lock_id", "session", "slot"));
        assertThat(refusal).hasMessageContaining("it has no column mode");
        assertThat(refusal.action()).contains("ALTER TABLE ks.lock_slots ADD (mode tinyint);");
    }
}
