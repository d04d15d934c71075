package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.testing.applications.SentStatements;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The requests that a contended lock with notices needs, without a lock: writes the own row, then reads the rows of all contenders.
 * No lock with these requests costs less computing time.
 */
final class BareContender implements Contender {

    static final String TABLE = "CREATE TABLE IF NOT EXISTS " + CassandraAddress.KEYSPACE
            + ".bare_requests (lock_id text, row uuid, value bigint, PRIMARY KEY (lock_id, row)) WITH read_repair = 'NONE'";

    private final SentStatements requests = new SentStatements();
    private final CqlSession session;
    private final PreparedStatement write;
    private final PreparedStatement read;
    private final UUID row = UUID.randomUUID();
    private final AtomicLong value = new AtomicLong();

    BareContender(CassandraAddress address, boolean counted) {
        CqlSession own = address.connect();
        session = counted ? requests.noting(own) : own;
        write = session.prepare(
                atQuorum("INSERT INTO bare_requests (lock_id, row, value) VALUES (?, ?, ?) USING TTL 3600"));
        read = session.prepare(atQuorum("SELECT row, value FROM bare_requests WHERE lock_id = ?"));
    }

    private static SimpleStatement atQuorum(String cql) {
        return SimpleStatement.newInstance(cql).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }

    @Override
    public Hold acquire(String lockId) {
        session.execute(write.bind(lockId, row, value.incrementAndGet()));
        session.execute(read.bind(lockId));
        return () -> {};
    }

    @Override
    public Hold acquirePermit(String lockId, int permits) {
        return acquire(lockId);
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
