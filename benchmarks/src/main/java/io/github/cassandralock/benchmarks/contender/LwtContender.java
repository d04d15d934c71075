package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import io.github.cassandralock.testing.applications.SentStatements;
import java.util.UUID;

/**
 * The lock that most write by themselves: a row, inserted if it is not there. An insert with an unknown outcome is settled by
 * the next try, which finds its own name.
 */
final class LwtContender implements Contender {

    static final String TABLE = "CREATE TABLE IF NOT EXISTS " + CassandraAddress.KEYSPACE
            + ".lwt_lock (lock_id text PRIMARY KEY, owner text)";

    private final SentStatements requests = new SentStatements();
    private final CqlSession session;
    private final PreparedStatement insert;
    private final PreparedStatement delete;

    LwtContender(CassandraAddress address, boolean counted) {
        CqlSession own = address.connectWithProtocol4();
        session = counted ? requests.noting(own) : own;
        insert = session.prepare("INSERT INTO lwt_lock (lock_id, owner) VALUES (?, ?) IF NOT EXISTS USING TTL 15");
        delete = session.prepare("DELETE FROM lwt_lock WHERE lock_id = ? IF owner = ?");
    }

    @Override
    public Hold acquire(String lockId) throws InterruptedException {
        String owner = UUID.randomUUID().toString();
        Retries retries = new Retries();
        while (!isInserted(lockId, owner)) {
            retries.pause();
        }
        return () -> release(lockId, owner);
    }

    private boolean isInserted(String lockId, String owner) {
        try {
            ResultSet result = session.execute(quorum(insert.bind(lockId, owner)));
            Row present = result.wasApplied() ? null : result.one();
            return present == null || owner.equals(present.getString("owner"));
        } catch (DriverException e) {
            return false;
        }
    }

    private void release(String lockId, String owner) throws InterruptedException {
        Retries retries = new Retries();
        while (!isDeleted(lockId, owner)) {
            retries.pause();
        }
    }

    /** Refused means that an earlier try has done it, or the row's time was over. */
    private boolean isDeleted(String lockId, String owner) {
        try {
            session.execute(quorum(delete.bind(lockId, owner)));
            return true;
        } catch (DriverException e) {
            return false;
        }
    }

    private static BoundStatement quorum(BoundStatement statement) {
        return statement.setConsistencyLevel(ConsistencyLevel.QUORUM);
    }

    @Override
    public long requests() {
        return requests.count();
    }

    @Override
    public void close() {
        session.close();
    }
}
