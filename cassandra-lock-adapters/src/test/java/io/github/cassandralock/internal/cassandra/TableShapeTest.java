package io.github.cassandralock.internal.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
