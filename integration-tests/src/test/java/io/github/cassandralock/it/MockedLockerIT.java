package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A test that replaces the locker by a mock needs no Cassandra. Costs a second. Catches a bean that is created nevertheless. */
@SpringBootTest(classes = Shop.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@Timeout(60)
class MockedLockerIT {

    @MockitoBean
    private RemoteLocker locker;

    @Autowired
    private Shop.Orders orders;

    @Test
    void annotatedMethodAsksTheMock() {
        RemoteLock lock = mock(RemoteLock.class);
        when(lock.getLockId()).thenReturn("order:7");
        when(locker.getLock(any(LockRequest.class))).thenReturn(lock);
        assertThat(orders.ship("7", () -> {})).isTrue();
        verify(locker).getLock(LockRequest.of("order:7"));
        verify(lock).close();
    }

    @Test
    void mockThatHasNotBeenTaughtAnythingIsNamedAsTheCause() {
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.ship("7", () -> {}))
                .withMessageContainingAll("'order:7'", "mock", "getLock(LockRequest)");
    }
}
