package io.github.cassandralock.it;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on the real locker and a real node. Costs the start of an application for each of its tests. */
@ExtendWith(SharedCassandra.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Tag("slow")
class CassandraLockerContractIT extends LockerContract {

    private final CassandraCluster cluster;
    private final Application application;
    private final List<Application> others = new ArrayList<>();

    CassandraLockerContractIT(CassandraCluster cluster) {
        this.cluster = cluster;
        this.application = Application.start(cluster);
    }

    @AfterEach
    void close() {
        application.close();
        others.forEach(Application::close);
    }

    @Override
    RemoteLocker locker() {
        return application.locker();
    }

    @Override
    RemoteLocker another() {
        Application other = Application.start(cluster);
        others.add(other);
        return other.locker();
    }

    @Override
    void close(RemoteLocker locker) {
        others.forEach(Application::close);
    }

    /** Another process has declared the session dead. */
    @Override
    void lose(String lockId) {
        application
                .session()
                .execute("SELECT session FROM lock_slots WHERE lock_id = ?", lockId)
                .forEach(row -> application
                        .session()
                        .execute(
                                "UPDATE lock_sessions SET state = 'DEAD' WHERE session = ? IF state = 'ALIVE'",
                                row.getUuid("session")));
    }
}
