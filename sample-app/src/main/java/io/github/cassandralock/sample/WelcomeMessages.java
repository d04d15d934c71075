package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.cql.Row;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.stereotype.Repository;

/** The record of what was sent. A row is written once and never changed, so its timestamp may come from any clock. */
@Repository
class WelcomeMessages {

    private final CqlTemplate cql;

    WelcomeMessages(CqlTemplate cql) {
        this.cql = cql;
    }

    Optional<WelcomeMessage> find(String account) {
        return cql
                .query(
                        "SELECT account, sent_by, sent_at FROM welcome_messages WHERE account = ?",
                        (row, number) -> message(row),
                        account)
                .stream()
                .findFirst();
    }

    void save(WelcomeMessage message) {
        cql.execute(
                "INSERT INTO welcome_messages (account, sent_by, sent_at) VALUES (?, ?, ?)",
                message.account(),
                message.sentBy(),
                message.sentAt());
    }

    private static WelcomeMessage message(Row row) {
        return new WelcomeMessage(
                String.valueOf(row.getString("account")),
                String.valueOf(row.getString("sent_by")),
                Objects.requireNonNullElse(row.getInstant("sent_at"), Instant.EPOCH));
    }
}
