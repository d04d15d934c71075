package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.springframework.data.cassandra.core.cql.CqlTemplate;
import org.springframework.stereotype.Repository;

/**
 * The accounts in Cassandra: plain reads and writes at QUORUM, which do not exclude each other.
 *
 * <p>A write must win over those before it. Cassandra lets the later timestamp win and by default takes it from the
 * writing client's clock: the write of an instance whose clock is behind would succeed, but no read would ever show
 * it. So a balance's timestamp is at least one above that of the balance that was read under the same lock:
 * writes are ordered as the lock orders its holders, whatever their clocks say. The clock only keeps a write apart from one
 * that ended in a time-out, which may still arrive, and which would else carry the same timestamp.
 *
 * <p>What remains: such an unfinished write from a clock that runs ahead may arrive late and win. Where that matters, store a
 * {@linkplain io.github.cassandralock.RemoteLock#reserveFencingToken() fencing token} and refuse lower ones.
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
                        "SELECT id, balance, WRITETIME(balance) AS version FROM accounts WHERE id = ?",
                        (row, number) -> account(row),
                        id)
                .stream()
                .findFirst();
    }

    /** @throws UnknownAccountException if there is none */
    Account get(String id) {
        return find(id).orElseThrow(() -> new UnknownAccountException(id));
    }

    /** Reads every account, page by page. */
    List<Account> findAll() {
        return cql.query(
                "SELECT id, balance, WRITETIME(balance) AS version FROM accounts", (row, number) -> account(row));
    }

    /** To be called under the account's lock, with a successor of what was read under the same lock. */
    void save(Account account) {
        cql.execute(update(account));
    }

    /**
     * Saves both or none. To be called under the locks of both, like {@link #save(Account)}.
     *
     * <p>Each account is a partition of its own, so two statements could end half done. A logged batch is stored before it is carried
     * out: Cassandra completes it even if this process and the node that it asked die.
     */
    void saveBoth(Account one, Account other) {
        cql.execute(BatchStatement.newInstance(BatchType.LOGGED, update(one), update(other))
                .setIdempotent(true));
    }

    private SimpleStatement update(Account account) {
        long timestamp = Math.max(account.version(), ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
        // Idempotent, so that the driver asks another node if a connection breaks.
        return SimpleStatement.newInstance(
                        "UPDATE accounts USING TIMESTAMP ? SET balance = ? WHERE id = ?",
                        timestamp,
                        account.balance(),
                        account.id())
                .setIdempotent(true);
    }

    private static Account account(Row row) {
        return new Account(String.valueOf(row.getString("id")), row.getLong("balance"), row.getLong("version"));
    }
}
