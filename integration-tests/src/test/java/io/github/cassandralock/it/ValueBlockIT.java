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
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The value of a lock by the public interface, between instances of an application on a real node that exchange notices. Costs a few
 * seconds. Would catch cells that are written or read wrongly, calls that end in another way than the interface says, and locks that
 * are handed over, or kept, before their value is stored. {@code CrashIT} kills a holder.
 */
@ExtendWith(SharedCassandra.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ValueBlockIT {

    private final Instances instances;
    private final ExecutorService counters = Executors.newCachedThreadPool();
    private String lockId = "";

    ValueBlockIT(CassandraCluster cluster) {
        instances = Instances.start(2, cluster, "values", List.of(), "--cassandra-lock.notices.enabled=true");
    }

    @AfterAll
    void stop() {
        counters.shutdownNow();
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
            return lock.readValue();
        }
    }

    @Test
    void valueIsEmptyAtFirstAndThenWhatTheLastHolderLeft() {
        assertThat(seenBy(one(), EXCLUSIVE)).isEqualTo(LockValue.of(bytes(), false));
        try (RemoteLock lock = one().getLock(in(EXCLUSIVE))) {
            lock.writeValue(bytes(1, -2, 0));
            assertThat(lock.readValue()).isEqualTo(LockValue.of(bytes(1, -2, 0), false));
        }
        assertThat(seenBy(other(), PROTECTED_READ)).isEqualTo(LockValue.of(bytes(1, -2, 0), false));
        try (RemoteLock lock = other().getLock(in(PROTECTED_WRITE))) {
            lock.writeValue(bytes());
        }
        assertThat(seenBy(one(), CONCURRENT_WRITE)).isEqualTo(LockValue.of(bytes(), false));
    }

    /** By hand-overs that are told, and by locks that stay where they are used. */
    @Test
    void countersOfManyHoldersInTwoProcessesAreRight() {
        int rounds = 100;
        List<CompletableFuture<Void>> counting = Stream.of(one(), one(), other(), other())
                .map(locker -> CompletableFuture.runAsync(() -> count(locker, rounds), counters))
                .toList();
        counting.forEach(CompletableFuture::join);
        LockValue end = seenBy(one(), EXCLUSIVE);
        assertThat(end.isDoubtful()).isFalse();
        assertThat(ByteBuffer.wrap(end.getBytes()).getInt()).isEqualTo(4 * rounds);
    }

    private void count(RemoteLocker locker, int rounds) {
        for (int round = 0; round < rounds; round++) {
            try (RemoteLock lock = locker.getLock(in(EXCLUSIVE))) {
                byte[] before = lock.readValue().getBytes();
                int count = before.length == 0 ? 0 : ByteBuffer.wrap(before).getInt();
                lock.writeValue(
                        ByteBuffer.allocate(Integer.BYTES).putInt(count + 1).array());
            }
        }
    }

    @Test
    void longestValueSurvivesAndALongerOneIsRefused() {
        byte[] longest = new byte[LockValue.MAX_BYTES];
        longest[longest.length - 1] = 7;
        try (RemoteLock lock = one().getLock(in(EXCLUSIVE))) {
            lock.writeValue(longest);
            assertThatThrownBy(() -> lock.writeValue(new byte[LockValue.MAX_BYTES + 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("at most 1024 bytes");
        }
        assertThat(seenBy(other(), EXCLUSIVE)).isEqualTo(LockValue.of(longest, false));
    }

    @Test
    void conversionToAWeakerModeStoresTheValue() {
        try (RemoteLock lock = one().getLock(in(EXCLUSIVE))) {
            lock.writeValue(bytes(3));
            lock.convert(PROTECTED_READ);
            assertThat(seenBy(other(), PROTECTED_READ)).isEqualTo(LockValue.of(bytes(3), false));
            assertThatThrownBy(() -> lock.writeValue(bytes(4)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in mode PROTECTED_READ");
            lock.convert(NULL);
            assertThatThrownBy(lock::readValue)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in mode NULL");
        }
    }
}
