package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import io.github.cassandralock.testing.applications.SentStatements;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.cassandra.CassandraLockProvider;

/** ShedLock with its defaults. It can only try, so it tries again until it has the lock. */
final class ShedLockContender implements Contender {

    static final String TABLE = "CREATE TABLE IF NOT EXISTS " + CassandraAddress.KEYSPACE
            + ".lock (name text PRIMARY KEY, lockUntil timestamp, lockedAt timestamp, lockedBy text)";

    private static final Duration AT_MOST = Duration.ofSeconds(15);

    private final SentStatements requests = new SentStatements();
    private final CqlSession session;
    private final CassandraLockProvider provider;

    ShedLockContender(CassandraAddress address, boolean counted) {
        CqlSession own = address.connectWithProtocol4();
        session = counted ? requests.noting(own) : own;
        provider = new CassandraLockProvider(session);
    }

    @Override
    public Hold acquire(String lockId) throws InterruptedException {
        Retries retries = new Retries();
        while (true) {
            Optional<SimpleLock> lock = tryLock(lockId);
            if (lock.isPresent()) {
                return () -> release(lock.get());
            }
            retries.pause();
        }
    }

    private Optional<SimpleLock> tryLock(String lockId) {
        try {
            return provider.lock(new LockConfiguration(Instant.now(), lockId, AT_MOST, Duration.ZERO));
        } catch (DriverException e) {
            return Optional.empty(); // as its scheduler would: it runs another time
        }
    }

    /** What an application can do: the lock ends by its time. */
    private static void release(SimpleLock lock) {
        try {
            lock.unlock();
        } catch (DriverException e) {
            System.err.println("ShedLock could not unlock: " + e);
        }
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
