package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.transaction.support.TransactionSynchronization.STATUS_ROLLED_BACK;
import static org.springframework.transaction.support.TransactionSynchronization.STATUS_UNKNOWN;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Locks and transactions of a real database. */
class TransactionsTest {

    private final AspectContext spring = AspectContext.of(Transactions.class, Ledger.class, Listener.class);
    private final InMemoryLocker locker = spring.locker();
    private final Ledger ledger = spring.bean(Ledger.class);
    private final JdbcTemplate jdbc = spring.bean(JdbcTemplate.class);

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(proxyTargetClass = true)
    static class Transactions {

        @Bean
        EmbeddedDatabase dataSource() {
            EmbeddedDatabase database = new EmbeddedDatabaseBuilder()
                    .setType(EmbeddedDatabaseType.H2)
                    .generateUniqueName(true)
                    .build();
            new JdbcTemplate(database).execute("CREATE TABLE entries (text VARCHAR(20))");
            return database;
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            return new JdbcTemplate(dataSource);
        }

        @Bean
        JdbcTransactionManager transactionManager(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }
    }

    static class Ledger {

        private final JdbcTemplate jdbc;
        private final InMemoryLocker locker;

        Ledger(JdbcTemplate jdbc, InMemoryLocker locker) {
            this.jdbc = jdbc;
            this.locker = locker;
        }

        @Transactional
        @DistributedLock(key = "'ledger'")
        public void write(String text) {
            noteTheEndOfTheTransaction();
            jdbc.update("INSERT INTO entries VALUES (?)", text);
        }

        @Transactional
        @DistributedLock(key = "'ledger'")
        public void writeAndLose(String text) {
            noteTheEndOfTheTransaction();
            jdbc.update("INSERT INTO entries VALUES (?)", text);
            locker.lose("ledger");
        }

        @DistributedLock(key = "'ledger'")
        public void writeInTheCallersTransaction(String text) {
            jdbc.update("INSERT INTO entries VALUES (?)", text);
        }

        @DistributedLock(key = "'ledger'")
        public void runUnderTheLock(Runnable work) {
            work.run();
        }

        @DistributedLock(key = "'ledger'", mode = LockMode.PROTECTED_READ)
        public void readInTheCallersTransaction() {}

        @DistributedLock(key = "'receipts'")
        public Mono<String> sendReceipt() {
            return Mono.just("sent");
        }

        @DistributedLock(key = "'statement'", onceFor = "1")
        public String sendStatement() {
            return "sent";
        }

        @DistributedLock(key = "'summary'", onceFor = "1")
        public Mono<String> sendSummary() {
            return Mono.just("sent");
        }

        private void noteTheEndOfTheTransaction() {
            locker.events.add("begun");
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    locker.events.add(status == STATUS_COMMITTED ? "committed" : "rolled back");
                }
            });
        }
    }

    record Written(Runnable listener) {}

    static class Listener {

        @TransactionalEventListener
        public void on(Written event) {
            event.listener().run();
        }
    }

    @AfterEach
    void close() {
        spring.close();
    }

    private Integer entries() {
        return jdbc.queryForObject("SELECT COUNT(*) FROM entries", Integer.class);
    }

    @Test
    void lockIsTakenBeforeTheTransactionBeginsAndReleasedAfterItHasEnded() {
        ledger.write("a");
        assertThat(locker.events).containsExactly("lock ledger", "begun", "committed", "unlock ledger");
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void lockLostBeforeTheCommitRollsTheTransactionBack() {
        assertThatThrownBy(() -> ledger.writeAndLose("a")).isInstanceOf(LockLostException.class);
        assertThat(locker.events).containsExactly("lock ledger", "begun", "rolled back", "unlock ledger");
        assertThat(entries()).isZero();
    }

    @Test
    void lockTakenInsideACallersTransactionIsHeldUntilThatHasEnded() {
        new TransactionTemplate(spring.bean(PlatformTransactionManager.class)).executeWithoutResult(status -> {
            ledger.writeInTheCallersTransaction("a");
            ledger.writeInTheCallersTransaction("b");
            assertThat(locker.isHeld("ledger"))
                    .as("while the entries are not committed")
                    .isTrue();
        });
        assertThat(locker.events).containsExactly("lock ledger", "unlock ledger");
        assertThat(entries()).isEqualTo(2);
    }

    @Test
    void writerAfterAReaderInOneTransactionIsRefusedWithAdvice() {
        TransactionTemplate caller = new TransactionTemplate(spring.bean(PlatformTransactionManager.class));
        assertThatThrownBy(() -> caller.executeWithoutResult(status -> {
                    ledger.readInTheCallersTransaction();
                    ledger.writeInTheCallersTransaction("a");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(
                        "held in mode PROTECTED_READ until that call, or the transaction in which it was made, ends")
                .hasMessageContaining("or on the method that begins the transaction");
        assertThat(locker.isHeld("ledger")).isFalse();
    }

    /** As a transaction of JTA whose time is up, or that another node of the transaction manager decides. */
    @Test
    void transactionThatEndsOnAnotherThreadLeavesNoLockBehind() {
        for (int round = 0; round < 2; round++) {
            TransactionSynchronizationManager.initSynchronization();
            TransactionSynchronizationManager.setActualTransactionActive(true);
            ledger.runUnderTheLock(() -> {});
            List<TransactionSynchronization> ends = TransactionSynchronizationManager.getSynchronizations();
            TransactionSynchronizationManager.clear();
            CompletableFuture.runAsync(() -> ends.forEach(end -> end.afterCompletion(STATUS_UNKNOWN)))
                    .join();
            assertThat(locker.isHeld("ledger")).isFalse();
            new TransactionTemplate(spring.bean(PlatformTransactionManager.class))
                    .executeWithoutResult(unrelated -> jdbc.update("INSERT INTO entries VALUES ('u')"));
            ledger.runUnderTheLock(() -> {});
        }
        assertThat(entries()).isEqualTo(2);
        assertThat(locker.isHeld("ledger")).isFalse();
    }

    /** The work goes on although the transaction has ended, so the call keeps its lock. */
    @Test
    void transactionThatEndsDuringTheCallLeavesTheCallItsLock() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        ledger.runUnderTheLock(() -> {
            List<TransactionSynchronization> ends = TransactionSynchronizationManager.getSynchronizations();
            TransactionSynchronizationManager.clear();
            CompletableFuture.runAsync(() -> ends.forEach(end -> end.afterCompletion(STATUS_ROLLED_BACK)))
                    .join();
            assertThat(locker.isHeld("ledger")).isTrue();
            ledger.writeInTheCallersTransaction("nested");
            assertThat(locker.isHeld("ledger")).isTrue();
        });
        assertThat(locker.isHeld("ledger")).isFalse();
        ledger.writeInTheCallersTransaction("later");
        assertThat(locker.events).containsExactly("lock ledger", "unlock ledger", "lock ledger", "unlock ledger");
    }

    @Test
    void listenersThatRunAfterTheCommitCallPublishersAndPeriodicWork() {
        List<String> sent = new ArrayList<>();
        new TransactionTemplate(spring.bean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> spring.context().publishEvent(new Written(() -> {
                    sent.add(ledger.sendReceipt().block());
                    sent.add(ledger.sendStatement());
                    sent.add(ledger.sendSummary().block());
                })));
        assertThat(sent).containsExactly("sent", "sent", "sent");
        assertThat(locker.events)
                .contains("unlock receipts", "unlock statement", "unlock summary")
                .filteredOn(event -> event.startsWith("record"))
                .hasSize(2);
    }

    @Test
    void lockTakenInsideACallersTransactionAndLostRollsThatBack() {
        TransactionTemplate caller = new TransactionTemplate(spring.bean(PlatformTransactionManager.class));
        assertThatThrownBy(() -> caller.executeWithoutResult(status -> {
                    ledger.writeInTheCallersTransaction("a");
                    locker.lose("ledger");
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(entries()).isZero();
        assertThat(locker.isHeld("ledger")).isFalse();
    }
}
