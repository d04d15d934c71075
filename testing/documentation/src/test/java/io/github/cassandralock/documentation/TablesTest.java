package io.github.cassandralock.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.jdbc.Database;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.internal.cassandra.LockTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The statements for administrators create the tables that the application would create. Costs nothing; catches columns that one of
 * the two does not have. Other statements of the documentation are only looked at for their first word and their parentheses.
 */
class TablesTest {

    private static final Pattern CREATE = Pattern.compile("CREATE TABLE (lock_\\w+) .*gc_grace_seconds = (\\d+).*");
    private static final Pattern STATEMENT =
            Pattern.compile("(CREATE|ALTER|SELECT|INSERT|UPDATE|DELETE|GRANT|DROP) .*");

    @TestFactory
    Stream<DynamicTest> everyStatementIsRight() {
        return Page.blocks("sql").stream()
                .flatMap(block -> statements(block)
                        .map(statement -> DynamicTest.dynamicTest(
                                block.place() + " " + statement.substring(0, Math.min(40, statement.length())),
                                () -> assertThat(isRight(statement))
                                        .as(statement)
                                        .isTrue())));
    }

    @Test
    void aTableWithAnotherColumnIsFound() {
        String right = LockTable.QUEUE.createStatement("ks", 48).replace("IF NOT EXISTS ks.", "");
        assertThat(isRight(right)).isTrue();
        assertThat(isRight(right.replace("cell text", "cell blob"))).isFalse();
    }

    @Test
    void everyTableIsThereForAdministrators() {
        String page = Page.textOf(Page.root().resolve("docs/guide/tables.md"));
        assertThat(Arrays.stream(LockTable.values()).map(table -> "CREATE TABLE " + table.tableName() + " ("))
                .allMatch(page::contains);
    }

    @Test
    void statementsOfExactlyOnceAreThoseOfTheStores() {
        List<String> documented = Page.blocks("sql").stream()
                .filter(block -> block.place().contains("exactly-once-stores.md"))
                .flatMap(TablesTest::statements)
                .filter(statement -> statement.startsWith("CREATE TABLE"))
                .toList();
        List<String> created = new ArrayList<>();
        created.add(CassandraRegisterStore.createStatement(CassandraStoreSettings.inKeyspace("my_keyspace")));
        created.add(JdbcRegisterStore.createStatement(Database.POSTGRESQL, JdbcStoreSettings.defaults()));
        created.addAll(JdbcSink.createStatements(Database.POSTGRESQL, JdbcSinkSettings.defaults()));
        assertThat(documented).containsExactlyElementsOf(created);
    }

    private static Stream<String> statements(CodeBlock block) {
        return Arrays.stream(block.text().replaceAll("--.*", "").split(";"))
                .map(statement -> statement.replaceAll("\\s+", " ").trim())
                .filter(statement -> !statement.isEmpty());
    }

    private static boolean isRight(String statement) {
        Matcher table = CREATE.matcher(statement);
        return table.matches() ? isTheApplications(statement, table) : isPlausible(statement);
    }

    private static boolean isTheApplications(String statement, Matcher table) {
        List<String> created = Arrays.stream(LockTable.values())
                .filter(each -> each.tableName().equals(table.group(1)))
                .map(each -> each.createStatement("ks", Integer.parseInt(table.group(2)))
                        .replace("IF NOT EXISTS ks.", ""))
                .toList();
        return created.contains(statement);
    }

    private static boolean isPlausible(String statement) {
        return STATEMENT.matcher(statement.toUpperCase(Locale.ROOT)).matches()
                && statement.chars().filter(c -> c == '(').count()
                        == statement.chars().filter(c -> c == ')').count();
    }
}
