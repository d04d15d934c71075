package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.internal.majority.Birth;
import io.github.cassandralock.internal.majority.Maturity;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The birth row alone, without its mark, and how it is read (docs/majority.md, section 4). Thread-safe. */
final class BirthRow {

    /** No session has this id, because ids of sessions are random. */
    static final UUID ID = new UUID(0, 1);

    private final TableRequests sessions;
    private final SimpleStatement read;

    /** Prepares nothing, because the row is read rarely. */
    BirthRow(CqlRequests cassandra, QualifiedTable sessionTable) {
        sessions = cassandra.to(sessionTable);
        read = sessions.idempotent("SELECT nonce, owner, state FROM " + sessionTable.cql() + " WHERE session = ?", ID);
    }

    /**
     * Returns the statement by which an operator ends the use of the tables for a majority. It is a lightweight transaction, as the
     * row's writes are. A deletion with the clock of the operator's machine might leave a part of the row.
     */
    static String deletion(QualifiedTable sessionTable) {
        return "DELETE FROM " + sessionTable.cql() + " WHERE session = " + ID + " IF EXISTS;";
    }

    CompletionStage<Optional<Birth>> read() {
        return sessions.read(read, BirthRow::birth);
    }

    private static Optional<Birth> birth(AsyncResultSet result) {
        Row row = result.one();
        UUID incarnation = row == null ? null : row.getUuid("nonce");
        return row == null || incarnation == null
                ? Optional.empty()
                : Optional.of(new Birth(
                        incarnation, String.valueOf(row.getString("owner")), maturity(row.getString("state"))));
    }

    /** An unknown maturity is the lowest one. */
    private static Maturity maturity(@Nullable String name) {
        for (Maturity maturity : Maturity.values()) {
            if (maturity.name().equals(name)) {
                return maturity;
            }
        }
        return Maturity.YOUNG;
    }
}
