package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

    @Test
    void otherProcessGetsTheLockOfWorkThatHangs() {
        RemoteLock hanging = locker().getLock(LockRequest.of("hanging").holdAtMost(Duration.ofMillis(500)));
        try (RemoteLock next = another().getLock("hanging", Duration.ofSeconds(20))) {
            assertThat(hanging.isHeld()).isFalse();
            assertThat(next.isHeld()).isTrue();
        }
    }
}
