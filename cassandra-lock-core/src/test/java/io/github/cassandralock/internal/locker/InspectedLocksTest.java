package io.github.cassandralock.internal.locker;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.inspect.LockPage;
import io.github.cassandralock.inspect.LockState;
import io.github.cassandralock.internal.inspect.LockInspection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What failures of an inspection say. Would catch a message that names a lock although a list was requested. */
class InspectedLocksTest extends ScriptedLockerTest {

    private final LockInspector inspector = locker.inspector(() -> Optional.of(new Failing()));

    private static final class Failing implements LockInspection {

        @Override
        public CompletionStage<LockState> inspect(String lockId) {
            return CompletableFuture.failedFuture(new IllegalStateException("no node"));
        }

        @Override
        public CompletionStage<LockPage> list(String idPrefix, String page) {
            return CompletableFuture.failedFuture(new IllegalStateException("no node"));
        }
    }

    @Test
    void failedListIsNoFailureOfALock() {
        assertThatThrownBy(() -> inspector.list("", ""))
                .isInstanceOf(LockStoreException.class)
                .hasMessage("The list of locks could not be read: no node. Check the cluster and try again");
        assertThatThrownBy(() -> inspector.list("invoice:", ""))
                .hasMessageStartingWith("The list of locks 'invoice:…' could not be read: no node");
        assertThatThrownBy(() -> inspector.listAsync("", "").join())
                .hasCauseInstanceOf(LockStoreException.class)
                .hasMessageContaining("The list of locks could not be read: no node");
    }

    @Test
    void failureToReadALockNamesIt() {
        assertThatThrownBy(() -> inspector.inspect("invoice:42"))
                .isInstanceOf(LockStoreException.class)
                .hasMessage("Lock 'invoice:42' could not be read: no node. Check the cluster and try again");
    }
}
