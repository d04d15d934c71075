package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What becomes of pushes in callbacks of transactions. Nobody commits what is written after the commit. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class PushAfterCommitTest {

    private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ExactlyOnceMethodAutoConfiguration.class))
            .withBean(ExactlyOnceMethodTest.WithoutAutoCommit.class)
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"));
    private final ApplicationContextRunner application =
            withoutDatabase.withUserConfiguration(ExactlyOnceMethodTest.Database.class);

    /** The beans of an application, and the pushes that it has refused. */
    private record Application(ApplicationContext context, List<Throwable> refusals) {

        PlatformTransactionManager manager() {
            return context.getBean("transactions", PlatformTransactionManager.class);
        }

        PlatformTransactionManager managerThatIsNoBean() {
            return new JdbcTransactionManager(context.getBean(DataSource.class));
        }

        void push() {
            context.getBean(MessagePusher.class).push("orders", "a");
        }

        void tryToPush() {
            Throwable refusal = catchThrowable(this::push);
            if (refusal != null) {
                refusals.add(refusal);
            }
        }

        void pushInATransactionOfItsOwn() {
            TransactionTemplate own = new TransactionTemplate(manager());
            own.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            own.executeWithoutResult(status -> push());
        }

        int waiting() {
            return ExactlyOnceMethodTest.waiting(context.getBean(JdbcTemplate.class));
        }

        void requirePushed(int messages) {
            assertThat(refusals).isEmpty();
            assertThat(waiting()).isEqualTo(messages);
        }

        void requireRefused() {
            assertThat(refusals)
                    .singleElement(InstanceOfAssertFactories.THROWABLE)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("has ended", "'orders'", "REQUIRES_NEW");
        }
    }

    private void run(Consumer<Application> test) {
        run(application, test);
    }

    private static void run(ApplicationContextRunner runner, Consumer<Application> test) {
        runner.run(context -> test.accept(new Application(context, new ArrayList<>())));
    }

    private static void inTransaction(PlatformTransactionManager manager, TransactionSynchronization... callbacks) {
        new TransactionTemplate(manager).executeWithoutResult(status -> register(callbacks));
    }

    private static void register(TransactionSynchronization... callbacks) {
        List.of(callbacks).forEach(TransactionSynchronizationManager::registerSynchronization);
    }

    private static TransactionSynchronization afterCommit(Runnable action) {
        return new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                action.run();
            }
        };
    }

    /** Spring calls listeners of the phases AFTER_COMMIT, AFTER_ROLLBACK and AFTER_COMPLETION like this. */
    private static TransactionSynchronization listener(Runnable action) {
        return new TransactionSynchronization() {
            @Override
            public void afterCompletion(int status) {
                action.run();
            }
        };
    }

    @Test
    void pushInAListenerIsRefused() {
        run(application -> {
            inTransaction(application.manager(), listener(application::tryToPush));
            application.requireRefused();
        });
    }

    @Test
    void pushInAListenerIsRefusedIfItsManagerIsInAParent() {
        new ApplicationContextRunner()
                .withUserConfiguration(ExactlyOnceMethodTest.Database.class)
                .run(parent -> {
                    run(withoutDatabase.withParent(parent), application -> {
                        inTransaction(application.manager(), listener(application::tryToPush));
                        application.requireRefused();
                    });
                    assertThat(parent.getBean(JdbcTransactionManager.class).getTransactionExecutionListeners())
                            .isEmpty();
                });
    }

    /** Spring then reports no end of the transaction. */
    @Test
    void commitThatFailsBeforeItBeginsLeavesNothingOnItsThread() {
        run(application -> {
            TransactionSynchronization failing = new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    throw new CannotCreateTransactionException("no connection");
                }
            };
            assertThat(catchThrowable(() -> inTransaction(application.manager(), failing)))
                    .isInstanceOf(CannotCreateTransactionException.class);
            assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
        });
    }

    /** The first one leaves a thread that Spring shows without a transaction. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pushIsRefusedAfterAListenerWithATransactionOfItsOwn(boolean rolledBack) {
        run(application -> {
            new TransactionTemplate(application.manager()).executeWithoutResult(status -> {
                register(listener(application::pushInATransactionOfItsOwn), listener(application::tryToPush));
                if (rolledBack) {
                    status.setRollbackOnly();
                }
            });
            application.requireRefused();
            assertThat(application.waiting()).isOne();
        });
    }

    /** Its method joins the transaction that has ended. */
    @Test
    void pushInATransactionalMethodThatAListenerCallsIsRefused() {
        run(application -> {
            TransactionTemplate method = new TransactionTemplate(application.manager());
            inTransaction(
                    application.manager(),
                    listener(() -> method.executeWithoutResult(status -> application.tryToPush())));
            application.requireRefused();
            assertThat(application.waiting()).isZero();
        });
    }

    @Test
    void pushAfterTheCommitIsRefused() {
        run(application -> {
            inTransaction(application.manager(), afterCommit(application::tryToPush));
            application.requireRefused();
        });
    }

    @Test
    void pushBeforeTheCommitIsKept() {
        run(application -> {
            inTransaction(application.manager(), new TransactionSynchronization() {
                @Override
                public void beforeCommit(boolean readOnly) {
                    application.push();
                }

                @Override
                public void beforeCompletion() {
                    application.push();
                }
            });
            application.requirePushed(2);
        });
    }

    @Test
    void pushAfterTheCommitInATransactionOfItsOwnIsKept() {
        run(application -> {
            inTransaction(application.manager(), afterCommit(application::pushInATransactionOfItsOwn));
            inTransaction(application.manager(), listener(application::pushInATransactionOfItsOwn));
            application.requirePushed(2);
        });
    }

    @Test
    void pushAfterTheListenersIsKept() {
        run(application -> {
            inTransaction(application.manager(), listener(() -> {}));
            application.push();
            inTransaction(application.manager(), afterCommit(() -> {}));
            new TransactionTemplate(application.manager()).executeWithoutResult(status -> application.push());
            application.requirePushed(2);
        });
    }

    @Test
    void pushAfterTheCommitOfAnEarlierPushIsRefusedThoughItsManagerIsNoBean() {
        run(application -> {
            new TransactionTemplate(application.managerThatIsNoBean()).executeWithoutResult(status -> {
                application.push();
                register(afterCommit(application::tryToPush));
            });
            application.requireRefused();
            assertThat(application.waiting()).isOne();
        });
    }

    @Test
    void firstPushAfterTheCommitIsLoggedIfItsManagerIsNoBean(CapturedOutput output) {
        run(application -> {
            new TransactionTemplate(application.managerThatIsNoBean())
                    .executeWithoutResult(status -> application.push());
            assertThat(output).doesNotContain("after the commit");
            inTransaction(application.managerThatIsNoBean(), afterCommit(application::push));
            assertThat(output).contains("pushed to queue 'orders' after the commit");
        });
    }

    // Managers without synchronization.

    @Configuration(proxyBeanMethods = false)
    static class WithSilentManager {

        @Bean
        PlatformTransactionManager silent(DataSource source) {
            return silentManager(source);
        }
    }

    private static PlatformTransactionManager silentManager(DataSource source) {
        JdbcTransactionManager manager = new JdbcTransactionManager(source);
        manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
        return manager;
    }

    private static void requirePartOf(PlatformTransactionManager silent, Application application) {
        TransactionTemplate transaction = new TransactionTemplate(silent);
        transaction.executeWithoutResult(status -> {
            application.push();
            status.setRollbackOnly();
        });
        application.requirePushed(0);
        transaction.executeWithoutResult(status -> application.push());
        application.requirePushed(1);
    }

    @Test
    void pushIsPartOfATransactionWithoutSynchronization() {
        run(
                application
                        .withUserConfiguration(WithSilentManager.class)
                        .withPropertyValues("exactly-once.jdbc.transaction-manager-bean=transactions"),
                application -> requirePartOf(
                        application.context().getBean("silent", PlatformTransactionManager.class), application));
        run(application -> requirePartOf(silentManager(application.context().getBean(DataSource.class)), application));
    }

    // Other databases.

    private static void withOtherDatabase(Consumer<PlatformTransactionManager> test) {
        JdbcConnectionPool other = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "");
        test.accept(new JdbcTransactionManager(other));
        other.dispose();
    }

    @Test
    void pushInAListenerOfAnotherDatabaseIsKept() {
        run(application -> withOtherDatabase(other -> {
            inTransaction(other, listener(application::tryToPush), listener(application::tryToPush));
            application.requirePushed(2);
        }));
    }

    @Test
    void pushInAListenerOfAnotherDatabaseIsPartOfTheOpenTransaction() {
        run(application -> withOtherDatabase(other -> {
            TransactionTemplate open = new TransactionTemplate(application.manager());
            open.executeWithoutResult(status -> {
                inTransaction(other, afterCommit(application::tryToPush), listener(application::tryToPush));
                status.setRollbackOnly();
            });
            application.requirePushed(0);
            open.executeWithoutResult(status ->
                    inTransaction(other, afterCommit(application::tryToPush), listener(application::tryToPush)));
            application.requirePushed(2);
        }));
    }
}
