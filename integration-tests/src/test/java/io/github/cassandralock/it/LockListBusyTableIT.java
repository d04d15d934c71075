package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * A list of locks after a busy night, on a node that rejects reads of many deleted rows. Costs a start of a node. Would catch a list
 * that fails until the deleted rows are purged.
 */
@Tag("slow")
@Tag("nightly")
@Tag("once")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LockListBusyTableIT {

    private static final String KEYSPACE = "busy";
    private static final int DELETED = 3_000;
    private static final int READABLE = 500;

    private final LocalCassandra cassandra = LocalCassandra.builder()
            .flushEachWrite(false)
            .config("tombstone_warn_threshold", READABLE / 2)
            .config("tombstone_failure_threshold", READABLE)
            .start();
    private final Application application = start();

    private Application start() {
        CassandraCluster cluster = CassandraCluster.local(cassandra);
        Application.createKeyspace(cluster, KEYSPACE, 1);
        return Application.start(cluster, "--cassandra-lock.keyspace=" + KEYSPACE);
    }

    @AfterAll
    void stop() {
        application.close();
        cassandra.close();
    }

    private void deleteManyLocks(CqlSession session) {
        String key = " WHERE lock_id = ? AND session = ? AND slot = 0";
        for (int number = 0; number < DELETED; number++) {
            session.execute("DELETE FROM " + KEYSPACE + ".lock_slots" + key, "night:" + number, new UUID(7, 1));
        }
    }

    private List<String> listed() {
        LockInspector inspector = application.context().getBean(LockInspector.class);
        List<String> ids = new ArrayList<>();
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            LockPage page = inspector.list("", next.get());
            assertThat(page.unread()).isEmpty();
            page.locks().forEach(lock -> ids.add(lock.lockId()));
            next = page.next();
        }
        return ids;
    }

    @Test
    void locksAreListedAlthoughOneReadMayNotPassAllDeletedRows() {
        CqlSession session = application.session();
        List<RemoteLock> held = IntStream.range(0, 20)
                .mapToObj(number -> application.locker().getLock("day:" + number))
                .toList();
        deleteManyLocks(session);
        assertThatThrownBy(() -> session.execute("SELECT DISTINCT lock_id FROM " + KEYSPACE + ".lock_slots LIMIT 100"))
                .isInstanceOf(ReadFailureException.class);

        assertThat(listed())
                .containsExactlyInAnyOrderElementsOf(
                        held.stream().map(RemoteLock::getLockId).toList());

        held.forEach(RemoteLock::close);
    }
}
