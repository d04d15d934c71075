package io.github.cassandralock.exactlyonce.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.spring.ExactlyOnce;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.OverridingClassLoader;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Methods with {@code @ExactlyOnce} that stop the application at its start, and the reason that it gives. */
class RefusedMethodTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ExactlyOnceMethodAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader("org.springframework.boot.health"));

    private static DataSource database() {
        return JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    static class Private {
        @ExactlyOnce(queue = "orders")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by reflection
        private void take(String order) {}
    }

    static class Static {
        @ExactlyOnce(queue = "orders")
        static void take(String order) {}
    }

    static class WithoutParameter {
        @ExactlyOnce(queue = "orders")
        void take() {}
    }

    static class WithTwoParameters {
        @ExactlyOnce(queue = "orders")
        void take(String order, int more) {}
    }

    static class Returning {
        @ExactlyOnce(queue = "orders")
        String take(String order) {
            return order;
        }
    }

    static class WithoutCodec {
        @ExactlyOnce(queue = "orders")
        void take(Integer order) {}
    }

    static class BadName {
        @ExactlyOnce(queue = "my orders")
        void take(String order) {}
    }

    static class UnknownPlaceholder {
        @ExactlyOnce(queue = "${no.such.property}")
        void take(String order) {}
    }

    static class EmptyGroup {
        @ExactlyOnce(queue = "orders", maxMessages = 0)
        void take(String order) {}
    }

    static class Asynchronous {
        @Async
        @ExactlyOnce(queue = "orders")
        void take(String order) {}
    }

    interface LaterTaker {
        @Async
        void take(String order);
    }

    static class AsynchronousByItsInterface implements LaterTaker {
        @Override
        @ExactlyOnce(queue = "orders")
        public void take(String order) {}
    }

    static class WithNamedManager {
        @Transactional("others")
        @ExactlyOnce(queue = "orders")
        void take(String order) {}
    }

    static class InAnotherTransaction {
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @ExactlyOnce(queue = "orders")
        void take(String order) {}
    }

    /** An annotation of the method precedes one of its class, even one of another library. */
    @Transactional
    static class InAnotherTransactionOfJakarta {
        @jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.REQUIRES_NEW)
        @ExactlyOnce(queue = "orders")
        void take(String order) {}
    }

    static class Two {
        @ExactlyOnce(queue = "orders")
        void take(String order) {}

        @ExactlyOnce(queue = "orders")
        void takeToo(String order) {}
    }

    static class FinalBehindProxy {
        @Transactional
        public void other() {}

        @ExactlyOnce(queue = "orders")
        public final void take(String order) {}
    }

    interface Other {
        void other();
    }

    static class MissingInProxy implements Other {
        @Override
        @Transactional
        public void other() {}

        @ExactlyOnce(queue = "orders")
        public void take(String order) {}
    }

    static Arguments[] refused() {
        return new Arguments[] {
            Arguments.of(Private.class, "it is static or private"),
            Arguments.of(Static.class, "it is static or private"),
            Arguments.of(WithoutParameter.class, "it has 0 parameters"),
            Arguments.of(WithTwoParameters.class, "it has 2 parameters"),
            Arguments.of(Returning.class, "it returns String"),
            Arguments.of(WithoutCodec.class, "no codec for messages of type java.lang.Integer"),
            Arguments.of(BadName.class, "this name has not: 'my orders'"),
            Arguments.of(UnknownPlaceholder.class, "no.such.property"),
            Arguments.of(EmptyGroup.class, "maxMessages is 0"),
            Arguments.of(Asynchronous.class, "it is asynchronous"),
            Arguments.of(AsynchronousByItsInterface.class, "it is asynchronous"),
            Arguments.of(WithNamedManager.class, "it is @Transactional with the manager 'others'"),
            Arguments.of(InAnotherTransaction.class, "it is @Transactional with REQUIRES_NEW"),
            Arguments.of(InAnotherTransactionOfJakarta.class, "it is @Transactional with REQUIRES_NEW"),
            Arguments.of(Two.class, "takes the messages of that queue already"),
        };
    }

    @ParameterizedTest
    @MethodSource("refused")
    <T> void methodThatCannotTakeMessagesIsRefused(Class<T> bean, String why) {
        application
                .withBean(DataSource.class, RefusedMethodTest::database)
                .withBean(bean)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(ExplainedException.class)
                        .hasMessageContaining("@ExactlyOnce(queue = \"")
                        .hasMessageContaining(why));
    }

    @EnableTransactionManagement(proxyTargetClass = true)
    static class ClassProxies {}

    @EnableTransactionManagement
    static class InterfaceProxies {}

    private <T> void assertRefusedBehindProxy(Class<?> proxies, Class<T> bean, String why) {
        application
                .withClassLoader(RefusedMethodTest.class.getClassLoader()) // in which proxies are defined
                .withPropertyValues("management.health.exactly-once.enabled=false")
                .withUserConfiguration(proxies)
                .withBean(DataSource.class, RefusedMethodTest::database)
                .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database()))
                .withBean(bean)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(ExplainedException.class)
                        .hasMessageContaining(why));
    }

    @Test
    void finalMethodBehindProxyIsRefused() {
        assertRefusedBehindProxy(ClassProxies.class, FinalBehindProxy.class, "it is final");
    }

    @Test
    void methodThatTheProxyDoesNotHaveIsRefused() {
        assertRefusedBehindProxy(InterfaceProxies.class, MissingInProxy.class, "does not have the method");
    }

    /** As of a library that is not there. */
    record Missing() {}

    static class OfMissing {

        @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by reflection
        void take(Missing missing) {}
    }

    @Test
    void lazyBeanOfMissingClassesIsNotSearched() throws ClassNotFoundException {
        ClassLoader without = new OverridingClassLoader(RefusedMethodTest.class.getClassLoader()) {
            @Override
            protected boolean isEligibleForOverriding(String name) {
                return name.equals(OfMissing.class.getName()) || name.equals(Missing.class.getName());
            }

            @Override
            protected @Nullable Class<?> loadClassForOverriding(String name) throws ClassNotFoundException {
                if (name.equals(Missing.class.getName())) {
                    throw new ClassNotFoundException(name);
                }
                return super.loadClassForOverriding(name);
            }
        };
        RootBeanDefinition lazy = new RootBeanDefinition(without.loadClass(OfMissing.class.getName()));
        lazy.setLazyInit(true);
        application
                .withBean(DataSource.class, RefusedMethodTest::database)
                .withInitializer(context -> ((GenericApplicationContext) context).registerBeanDefinition("lazy", lazy))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void methodOfPrototypeIsRefused() {
        application
                .withBean(DataSource.class, RefusedMethodTest::database)
                .withBean(Taking.class, Taking::new, definition -> definition.setScope("prototype"))
                .run(context -> assertThat(context.getStartupFailure()).hasMessageContaining("not a singleton"));
    }

    static class Taking {
        @ExactlyOnce(queue = "orders")
        void take(String order) {}
    }

    @Test
    void methodWithoutDatabaseIsRefused() {
        application
                .withBean(Taking.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(ExplainedException.class)
                        .hasMessage("The method 'take' with @ExactlyOnce(queue = \"orders\") needs transactions of a"
                                + " database, but the application has no DataSource bean."));
    }

    @Test
    void methodWithoutSpringJdbcIsRefused() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.health", "org.springframework.jdbc"))
                .withBean(Taking.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(ExplainedException.class)
                        .hasMessageContaining("spring-jdbc is not on the class path"));
    }

    @Test
    void methodWithTransactionsOfAnotherDatabaseIsRefused() {
        application
                .withBean(DataSource.class, RefusedMethodTest::database)
                .withBean(PlatformTransactionManager.class, () -> new JdbcTransactionManager(database()))
                .withBean(Taking.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidExactlyOncePropertyException.class)
                        .hasMessageContaining("all transaction managers of the application are of other data sources"));
    }

    @Test
    void methodIsNotCalledIfExactlyOnceIsSwitchedOff() {
        application
                .withPropertyValues("exactly-once.enabled=false")
                .withBean(Taking.class)
                .run(context -> assertThat(context).hasNotFailed());
    }
}
