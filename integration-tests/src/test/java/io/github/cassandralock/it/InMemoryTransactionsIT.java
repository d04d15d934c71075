package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.test.InMemoryLocks;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.Commit;
import org.springframework.test.context.transaction.AfterTransaction;
import org.springframework.transaction.annotation.Transactional;

/** A test without Cassandra whose transaction commits. Costs a second. The commit fails if a lock of the transaction is lost. */
@SpringBootTest(classes = Shop.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
@Import(CurrentLockIT.Transactions.class)
@InMemoryLocks
@Transactional
@Commit
@Timeout(60)
class InMemoryTransactionsIT {

    @Autowired
    private Shop.Orders orders;

    @Autowired
    private InMemoryRemoteLocker locks;

    /** The first run leaves a lock, which the second run finds free. */
    @RepeatedTest(2)
    void lockOfTheTestsTransactionIsHeldUntilItsCommit() {
        assertThat(locks.isTaken("left")).isFalse();
        locks.getLock("left");
        orders.ship("7", () -> {});
        assertThat(locks.isTaken("order:7")).isTrue();
    }

    @AfterTransaction
    void otherLocksAreFreedAfterTheEndOfTheTransaction() {
        assertThat(locks.isTaken("order:7")).isFalse();
        assertThat(locks.isTaken("left")).isTrue();
    }
}
