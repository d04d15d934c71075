package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.stereotype.Repository;

/**
 * Accounts in Cassandra, read and written at quorum, without lightweight transactions: a plain read, and later a plain
 * write. Only a lock held around both keeps two withdrawals from overwriting each other.
 */
@Repository
class Accounts {

    private final CqlTemplate cql;
    private final Clock clock = Clock.systemUTC();

    Accounts(CqlTemplate cql) {
        this.cql = cql;
    }

    Optional<Account> find(String id) {
        return cql
                .query(
                        SimpleStatement.newInstance("SELECT balance, version FROM bank.accounts WHERE id = ?", id)
                                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM),
                        (row, number) -> new Account(id, row.getLong("balance"), row.getLong("version")))
                .stream()
                .findFirst();
    }

    /**
     * Cassandra keeps the write with the highest timestamp, so the timestamp must follow the order of the locks, not that
     * of the instances' clocks: it is above that of the write which was read under this lock. The clock only keeps it apart
     * from a write that ended in a time-out and may still arrive.
     */
    Account save(Account account) {
        long timestamp = Math.max(account.version(), ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
        cql.execute(SimpleStatement.newInstance(
                        "INSERT INTO bank.accounts (id, balance, version) VALUES (?, ?, ?) USING TIMESTAMP ?",
                        account.id(),
                        account.balance(),
                        timestamp,
                        timestamp)
                .setIdempotent(true)
                .setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
        return new Account(account.id(), account.balance(), timestamp);
    }
}
