package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.stereotype.Repository;

/** The closed books, kept for a day. */
@Repository
class Closings {

    private static final String LEDGER = "bank";

    private final CqlTemplate cql;

    Closings(CqlTemplate cql) {
        this.cql = cql;
    }

    boolean contains(Instant slot) {
        return !cql.query(
                        "SELECT closed_by FROM closings WHERE ledger = ? AND slot = ?",
                        (row, number) -> String.valueOf(row.getString("closed_by")),
                        LEDGER,
                        slot)
                .isEmpty();
    }

    void save(Closing closing) {
        cql.execute(
                "INSERT INTO closings (ledger, slot, closed_by, accounts, total) VALUES (?, ?, ?, ?, ?)",
                LEDGER,
                closing.slot(),
                closing.closedBy(),
                closing.accounts(),
                closing.total());
    }

    /** The latest first. */
    List<Closing> latest(int count) {
        return cql.query(
                "SELECT slot, closed_by, accounts, total FROM closings WHERE ledger = ? LIMIT ?",
                (row, number) -> closing(row),
                LEDGER,
                count);
    }

    private static Closing closing(Row row) {
        return new Closing(
                Objects.requireNonNullElse(row.getInstant("slot"), Instant.EPOCH),
                String.valueOf(row.getString("closed_by")),
                row.getLong("accounts"),
                row.getLong("total"));
    }
}
