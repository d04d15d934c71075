package io.github.cassandralock.it;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** The contract on the locker for tests. Costs a second; needs no node. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class InMemoryLockerContractIT extends LockerContract {

    private final InMemoryRemoteLocker locker = new InMemoryRemoteLocker();

    @AfterEach
    void close() {
        locker.close();
    }

    @Override
    RemoteLocker locker() {
        return locker;
    }

    @Override
    RemoteLocker another() {
        return new InMemoryRemoteLocker();
    }

    @Override
    void close(RemoteLocker closed) {
        ((InMemoryRemoteLocker) closed).close();
    }

    @Override
    void lose(String lockId) {
        locker.lose(lockId, "the test said so");
    }
}
