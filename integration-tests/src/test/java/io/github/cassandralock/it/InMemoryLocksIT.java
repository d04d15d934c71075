package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.time.Duration;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ConfigurableApplicationContext;

/** A test of an application without Cassandra. Costs a second. Catches a bean that opens a session at the start. */
@SpringBootTest(classes = Shop.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@InMemoryLocks
@Timeout(60)
class InMemoryLocksIT {

    @Autowired
    private Shop.Orders orders;

    @Autowired
    private InMemoryRemoteLocker locks;

    @Autowired
    private RemoteLocker injected;

    @Autowired
    private ConfigurableApplicationContext context;

    @Test
    void annotatedMethodRunsUnderALockInMemory() {
        assertThat(orders.ship("7", () -> assertThat(locks.isTaken("order:7")).isTrue()))
                .isTrue();
        assertThat(locks.isTaken("order:7")).isFalse();
        assertThat(injected).isSameAs(locks);
    }

    @Test
    void testLosesALockOnPurpose() {
        assertThatThrownBy(() -> orders.ship("8", () -> locks.lose("order:8", "the lease ran out")))
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'order:8' was lost: the lease ran out");
    }

    /** The first run leaves one lock for its minimum time, and does not close another. */
    @RepeatedTest(2)
    void locksThatAnEarlierMethodHasLeftAreFree() {
        assertThat(locks.isTaken("left") || locks.isTaken("forgotten")).isFalse();
        locks.getLock(LockRequest.of("left").holdAtLeast(Duration.ofHours(1))).close();
        locks.getLock("forgotten");
        assertThat(locks.isTaken("left") && locks.isTaken("forgotten")).isTrue();
    }

    @Test
    void nothingHasOpenedASession() {
        String[] sessions = context.getBeanNamesForType(CqlSession.class, true, false);
        assertThat(sessions)
                .isNotEmpty()
                .allSatisfy(name -> assertThat(context.getBeanFactory().containsSingleton(name))
                        .isFalse());
    }
}
