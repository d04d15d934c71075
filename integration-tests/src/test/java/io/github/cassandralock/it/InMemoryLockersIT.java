package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import io.github.cassandralock.testing.applications.Application;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** A test without Cassandra of an application with a named locker. Costs a second. Would catch a locker that is not replaced. */
@SpringBootTest(
        classes = Application.Configuration.class,
        webEnvironment = SpringBootTest.WebEnvironment.NONE,
        properties = "cassandra-lock.lockers.billing.keyspace=billing")
@Import(InMemoryLockersIT.Invoices.class)
@InMemoryLocks
@Timeout(60)
class InMemoryLockersIT {

    @Autowired
    private InMemoryRemoteLocker main;

    @Autowired
    @Qualifier("billing")
    private InMemoryRemoteLocker billing;

    @Autowired
    @Qualifier("billing")
    private RemoteLocker injected;

    @Autowired
    @Qualifier("billing")
    private ReentrantLocks reentrant;

    @Autowired
    private Invoices invoices;

    static class Invoices {

        @DistributedLock(key = "'a'", locker = "billing")
        public void send(Runnable work) {
            work.run();
        }
    }

    @Test
    void eachLockerIsReplacedByOneInMemory() {
        assertThat(injected).isSameAs(billing).isNotSameAs(main);
        invoices.send(() -> {
            assertThat(billing.isTaken("a")).isTrue();
            assertThat(main.isTaken("a")).isFalse();
        });
        try (RemoteLock lock = billing.getLock("b")) {
            assertThat(reentrant.get("b").tryLock()).isFalse();
            lock.ensureHeld();
        }
    }
}
