package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.List;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/**
 * Creates the bank's tables while the context starts, before the first request and the first scheduled run.
 *
 * <p>Under a lock: {@code IF NOT EXISTS} alone does not keep two nodes from creating one table at the same time, each
 * with an id of its own.
 */
@Component
final class BankSchema implements InitializingBean {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final List<String> TABLES = List.of(
            """
            CREATE TABLE IF NOT EXISTS accounts (
                id text PRIMARY KEY,
                balance bigint)
            """,
            """
            CREATE TABLE IF NOT EXISTS welcome_messages (
                account text PRIMARY KEY,
                sent_by text,
                sent_at timestamp)
            """,
            // The instance is part of the key: if two ever closed the same slot, both rows would stay.
            """
            CREATE TABLE IF NOT EXISTS closings (
                ledger text,
                slot timestamp,
                closed_by text,
                accounts bigint,
                total bigint,
                PRIMARY KEY (ledger, slot, closed_by))
            WITH CLUSTERING ORDER BY (slot DESC, closed_by ASC)
            AND default_time_to_live = 86400
            """);

    private final RemoteLocker locker;
    private final CqlSession session;

    BankSchema(RemoteLocker locker, CqlSession session) {
        this.locker = locker;
        this.session = session;
    }

    @Override
    public void afterPropertiesSet() {
        try (RemoteLock lock = locker.getLock("bank:schema", TIMEOUT)) {
            for (String table : TABLES) {
                lock.ensureHeld();
                session.execute(SimpleStatement.newInstance(table).setTimeout(TIMEOUT));
            }
        }
    }
}
