package io.github.cassandralock.exactlyonce.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableCreationTest {

    private final List<String> executed = new ArrayList<>();

    /** A connection that answers queries with a failure. */
    private Connection failing(String state) {
        Statement statement = proxy(Statement.class, sql -> {
            executed.add(sql);
            if (sql.startsWith("SELECT")) {
                throw new SQLException("refused", state);
            }
            return false;
        });
        return proxy(Connection.class, any -> statement);
    }

    private interface Answer {
        Object to(String sql) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> method.getName().equals("close")
                        ? null
                        : answer.to(arguments == null ? "" : (String) arguments[0])));
    }

    private void createOn(Connection connection) throws SQLException {
        TableCreation.ifMissing(connection, List.of("SELECT"), List.of("CREATE"));
    }

    @Test
    void tablesThatTheDatabaseDoesNotFindAreCreated() throws SQLException {
        createOn(failing("42P01"));
        assertThat(executed).containsExactly("SELECT", "CREATE");
    }

    @Test
    void tablesThatAreLockedMeanwhileAreNotCreated() {
        assertThatExceptionOfType(SQLException.class).isThrownBy(() -> createOn(failing("55P03")));
        assertThat(executed).containsExactly("SELECT");
    }
}
