package io.github.cassandralock.it;

import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static io.github.cassandralock.LockMode.PROTECTED_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockValue;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.testing.applications.Instances;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The value of a lock by the public interface, between instances of an application on a real node. Costs a few seconds. Would catch
 * cells that are written or read wrongly, and calls that end in another way than the interface says.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ValueBlockIT {

    private final Instances instances;
    private String lockId = "";

    ValueBlockIT(CassandraCluster cluster) {
        instances = Instances.start(2, cluster, "values", List.of());
    }

    @AfterAll
    void stop() {
        instances.close();
    }

    @BeforeEach
    void anotherLock() {
        lockId = "value:" + UUID.randomUUID();
    }

    private RemoteLocker one() {
        return instances.get(0).locker();
    }

    private RemoteLocker other() {
        return instances.get(1).locker();
    }

    private LockRequest in(LockMode mode) {
        return LockRequest.of(lockId).mode(mode);
    }

    private static byte[] bytes(int... content) {
        byte[] bytes = new byte[content.length];
        for (int index = 0; index < content.length; index++) {
            bytes[index] = (byte) content[index];
        }
        return bytes;
    }

    private LockValue seenBy(RemoteLocker locker, LockMode mode) {
        try (RemoteLock lock = locker.getLock(in(mode))) {
            return lock.value();
        }
    }

    @Test
    void valueIsEmptyAtFirstAndThenWhatTheLastHolderLeft() {
        assertThat(seenBy(one(), EXCLUSIVE)).isEqualTo(LockValue.of(bytes(), false));
        try (RemoteLock lock = one().getLock(in(EXCLUSIVE))) {
            lock.value(bytes(1, -2, 0));
            assertThat(lock.value()).isEqualTo(LockValue.of(bytes(1, -2, 0), false));
        }
        assertThat(seenBy(other(), PROTECTED_READ)).isEqualTo(LockValue.of(bytes(1, -2, 0), false));
        try (RemoteLock lock = other().getLock(in(PROTECTED_WRITE))) {
            lock.value(bytes());
        }
        assertThat(seenBy(one(), CONCURRENT_WRITE)).isEqualTo(LockValue.of(bytes(), false));
    }

    @Test
    void longestValueSurvivesAndALongerOneIsRefused() {
        byte[] longest = new byte[LockValue.MAX_BYTES];
        longest[longest.length - 1] = 7;
        try (RemoteLock lock = one().getLock(in(EXCLUSIVE))) {
            lock.value(longest);
            assertThatThrownBy(() -> lock.value(new byte[LockValue.MAX_BYTES + 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most 1024 bytes");
        }
        assertThat(seenBy(other(), EXCLUSIVE)).isEqualTo(LockValue.of(longest, false));
    }

    @Test
    void conversionToAWeakerModeStoresTheValue() {
        try (RemoteLock lock = one().getLock(in(EXCLUSIVE))) {
            lock.value(bytes(3));
            lock.convert(PROTECTED_READ);
            assertThat(seenBy(other(), PROTECTED_READ)).isEqualTo(LockValue.of(bytes(3), false));
            assertThatThrownBy(() -> lock.value(bytes(4)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in mode PROTECTED_READ");
            lock.convert(NULL);
            assertThatThrownBy(lock::value)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in mode NULL");
        }
    }
}
