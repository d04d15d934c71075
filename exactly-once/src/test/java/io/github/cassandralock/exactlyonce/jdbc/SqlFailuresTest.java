package io.github.cassandralock.exactlyonce.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.store.FailureMeaning;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlFailuresTest {

    /** What failed, and what it means for a statement, before a commit, and for a connection that is not given. */
    @ParameterizedTest
    @CsvSource({
        "08006, connection lost,              UNKNOWN,     NOT_APPLIED",
        "08003, connection closed,            UNKNOWN,     NOT_APPLIED",
        "08007, transaction resolution,       UNKNOWN,     NOT_APPLIED",
        "40003, statement completion unknown, UNKNOWN,     NOT_APPLIED",
        "57P01, server shuts down,            UNKNOWN,     NOT_APPLIED",
        "57P02, server has crashed,           UNKNOWN,     NOT_APPLIED",
        "58030, input or output error,        UNKNOWN,     NOT_APPLIED",
        "XX000, internal error,               UNKNOWN,     NOT_APPLIED",
        "90067, H2: connection broken,        UNKNOWN,     NOT_APPLIED",
        "     , no state,                     UNKNOWN,     NOT_APPLIED",
        "40001, serialization failure,        NOT_APPLIED, NOT_APPLIED",
        "40P01, deadlock,                     NOT_APPLIED, NOT_APPLIED",
        "55P03, lock not available,           NOT_APPLIED, NOT_APPLIED",
        "57014, cancelled,                    NOT_APPLIED, NOT_APPLIED",
        "25P03, idle for too long,            NOT_APPLIED, NOT_APPLIED",
        "25006, read-only,                    NOT_APPLIED, NOT_APPLIED",
        "53300, too many connections,         NOT_APPLIED, NOT_APPLIED",
        "42501, permission denied,            REFUSED,     REFUSED",
        "42P01, no such table,                REFUSED,     REFUSED",
        "23505, row is there already,         REFUSED,     REFUSED",
        "25P02, transaction has failed,       NOT_APPLIED, NOT_APPLIED",
        "23514, check violated,               REFUSED,     REFUSED",
        "22001, text too long,                REFUSED,     REFUSED",
        "28P01, wrong password,               REFUSED,     REFUSED",
        "3D000, no such database,             REFUSED,     REFUSED"
    })
    void states(@Nullable String state, String what, FailureMeaning statement, FailureMeaning beforeCommit) {
        SQLException failure = new SQLException(what, state);

        assertThat(SqlFailures.ofStatement(failure)).isEqualTo(statement);
        assertThat(SqlFailures.beforeCommit(failure)).isEqualTo(beforeCommit);
    }

    @ParameterizedTest
    @CsvSource({"40001, true", "23505, true", "90131, true", "40P01, false", "23503, false", "08006, false"})
    void conflicts(String state, boolean conflict) {
        assertThat(SqlFailures.isConflict(new SQLException("x", state))).isEqualTo(conflict);
    }

    @Test
    @Timeout(10)
    void causesThatFormACircleEnd() {
        RuntimeException one = new IllegalStateException("one");
        one.initCause(new IllegalStateException("other", one));
        assertThat(SqlFailures.among(one)).isEmpty();
    }
}
