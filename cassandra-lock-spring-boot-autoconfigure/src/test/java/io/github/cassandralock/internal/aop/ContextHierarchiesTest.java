package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.autoconfigure.CassandraLockAutoConfiguration;
import io.github.cassandralock.internal.transactionlistener.TransactionListenerInstaller;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Annotations in parent contexts and child contexts. Catches a method that runs without its lock, or a commit without one. */
@ExtendWith(OutputCaptureExtension.class)
class ContextHierarchiesTest {

    private static final String WITHOUT_LOCKS =
            "would run without their locks: its application context makes no proxies";

    private final InMemoryLocker locker = new InMemoryLocker();
    private final AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext();
    private final AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();

    static class Ledger {

        @Transactional
        @DistributedLock(key = "'ledger'")
        public void write(Runnable work) {
            work.run();
        }
    }

    @Lazy
    static class LazyLedger extends Ledger {}

    @Scope("prototype")
    static class LedgerPerUse extends Ledger {}

    @ImportAutoConfiguration(CassandraLockAutoConfiguration.class)
    @Configuration(proxyBeanMethods = false)
    static class Locks {}

    /** Uses advisors of parents, as the creator of AspectJ does. */
    @Configuration(proxyBeanMethods = false)
    static class Proxies {

        @Bean
        static DefaultAdvisorAutoProxyCreator creator() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }
    }

    @EnableTransactionManagement(proxyTargetClass = true)
    @Configuration(proxyBeanMethods = false)
    static class Transactions {

        @Bean
        Commits transactionManager() {
            return new Commits();
        }
    }

    /** The type of the bean is unknown until it is created, at its first use. */
    @EnableTransactionManagement(proxyTargetClass = true)
    @Configuration(proxyBeanMethods = false)
    static class LazyTransactions {

        @Bean
        @Lazy
        PlatformTransactionManager transactionManager() {
            return new Commits();
        }
    }

    @EnableTransactionManagement(proxyTargetClass = true)
    @Configuration(proxyBeanMethods = false)
    static class ChildTransactions {}

    /** Transactions of nothing, whose commits are counted. */
    static final class Commits extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        private int count;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected boolean isExistingTransaction(Object transaction) {
            return TransactionSynchronizationManager.isActualTransactionActive();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            count++;
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    private void start(Consumer<AnnotationConfigApplicationContext> parentBeans, Class<?>... childBeans) {
        parentBeans.accept(parent);
        parent.refresh();
        child.setParent(parent);
        child.register(childBeans);
        child.refresh();
    }

    private void locks(AnnotationConfigApplicationContext context) {
        context.registerBean("locker", InMemoryLocker.class, () -> locker);
        context.register(Locks.class);
    }

    private static void set(AnnotationConfigApplicationContext context, String property, Object value) {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of(property, value)));
    }

    private void assertThatALostLeasePreventsTheCommit() {
        Ledger ledger = child.getBean(Ledger.class);
        Commits commits = (Commits) child.getBean(PlatformTransactionManager.class);
        ledger.write(() -> assertThat(locker.tryGetLock("ledger")).isEmpty());
        assertThat(commits.count).isEqualTo(1);
        assertThatThrownBy(() -> ledger.write(() -> locker.lose("ledger"))).isInstanceOf(LockLostException.class);
        assertThat(commits.count).isEqualTo(1);
    }

    @AfterEach
    void close() {
        child.close();
        parent.close();
    }

    @ParameterizedTest
    @ValueSource(classes = {Ledger.class, LazyLedger.class, LedgerPerUse.class})
    void childWithoutProxiesFailsWithAnAnnotatedBean(Class<?> ledger) {
        assertThatThrownBy(() -> start(this::locks, ledger))
                .isInstanceOf(MistakenAnnotationException.class)
                .hasMessageContaining(ledger.getName())
                .hasMessageContaining(WITHOUT_LOCKS);
    }

    /** The creator of transactions makes proxies, but not for an advisor of the parent. */
    @Test
    void childWithProxiesForTransactionsOnlyFailsWithAnAnnotatedBean() {
        assertThatThrownBy(() -> start(this::locks, Transactions.class, Ledger.class))
                .isInstanceOf(MistakenAnnotationException.class)
                .hasMessageContaining(WITHOUT_LOCKS);
    }

    @Test
    void childThatSwitchesLocksOffIsNotChecked(CapturedOutput output) {
        set(child, "cassandra-lock.enabled", "false");
        start(this::locks, Ledger.class);
        assertThat(output).doesNotContain(WITHOUT_LOCKS);
    }

    @Test
    void annotatedBeanOfAChildWithoutProxiesIsAWarningIfSoConfigured(CapturedOutput output) {
        set(parent, "cassandra-lock.aspect.unadvised-beans", "warn");
        start(this::locks, Ledger.class);
        assertThat(output).containsOnlyOnce(WITHOUT_LOCKS);
    }

    @ParameterizedTest
    @ValueSource(classes = {Transactions.class, LazyTransactions.class})
    void leaseIsCheckedInAChildThatMakesProxiesItself(Class<?> transactions, CapturedOutput output) {
        start(this::locks, Proxies.class, transactions, LazyLedger.class);
        assertThatALostLeasePreventsTheCommit();
        assertThat(output).doesNotContain(WITHOUT_LOCKS);
    }

    @ParameterizedTest
    @ValueSource(classes = {Transactions.class, LazyTransactions.class})
    void leaseIsCheckedInAChildWithTheAutoConfiguration(Class<?> transactions, CapturedOutput output) {
        start(this::locks, Locks.class, transactions, Ledger.class);
        assertThatALostLeasePreventsTheCommit();
        assertThat(output).doesNotContain(WITHOUT_LOCKS);
    }

    static class Place {

        @DistributedLock(key = "'${place}'")
        public void enter(Runnable work) {
            work.run();
        }
    }

    private void startAndEnterBoth() {
        start(
                context -> {
                    locks(context);
                    context.register(Place.class);
                },
                Locks.class,
                Place.class);
        parent.getBean(Place.class).enter(() -> child.getBean(Place.class).enter(() -> {}));
    }

    @Test
    void annotationsOfAChildUseItsPropertiesAndItsLocker() {
        InMemoryLocker ofChild = new InMemoryLocker();
        child.registerBean("locker", InMemoryLocker.class, () -> ofChild);
        set(parent, "place", "outer");
        set(child, "place", "inner");
        startAndEnterBoth();
        assertThat(locker.events).containsExactly("lock outer", "unlock outer");
        assertThat(ofChild.events).containsExactly("lock inner", "unlock inner");
    }

    @Test
    void nestedCallsOfAParentAndItsChildShareTheirLock() {
        set(parent, "place", "shared");
        startAndEnterBoth();
        assertThat(locker.events).containsExactly("lock shared", "unlock shared");
    }

    /** One id under two lockers names two locks. */
    @Test
    void childWithItsOwnLockerDoesNotShareTheLockOfItsParent() {
        InMemoryLocker ofChild = new InMemoryLocker();
        child.registerBean("locker", InMemoryLocker.class, () -> ofChild);
        set(parent, "place", "k");
        startAndEnterBoth();
        assertThat(locker.events).containsExactly("lock k", "unlock k");
        assertThat(ofChild.events).containsExactly("lock k", "unlock k");
    }

    @ParameterizedTest
    @ValueSource(classes = {Transactions.class, LazyTransactions.class})
    void leaseIsCheckedByATransactionManagerOfAParentWithoutLocks(Class<?> transactions) {
        child.registerBean("locker", InMemoryLocker.class, () -> locker);
        start(context -> context.register(transactions), Locks.class, ChildTransactions.class, Ledger.class);
        assertThatALostLeasePreventsTheCommit();
    }

    /** The parent may outlive any number of children. */
    @ParameterizedTest
    @ValueSource(classes = {Transactions.class, LazyTransactions.class})
    void closedChildLeavesNothingInItsParent(Class<?> transactions) {
        child.registerBean("locker", InMemoryLocker.class, () -> locker);
        start(context -> context.register(transactions), Locks.class, ChildTransactions.class, Ledger.class);
        assertThatALostLeasePreventsTheCommit();
        child.close();
        assertThat(parent.getBean(Commits.class).getTransactionExecutionListeners())
                .isEmpty();
        assertThat(parent.getDefaultListableBeanFactory().getBeanPostProcessors())
                .doesNotHaveAnyElementsOfTypes(TransactionListenerInstaller.class);
    }

    /** Another post-processor may need it before the one that adds the check exists. */
    @Test
    void leaseIsCheckedByATransactionManagerThatExistsBeforePostProcessors() {
        Commits early = new Commits();
        child.registerBean("locker", InMemoryLocker.class, () -> locker);
        child.getBeanFactory().registerSingleton("early", early);
        start(context -> {}, Locks.class);
        assertThat(early.getTransactionExecutionListeners()).hasSize(1);
    }
}
