package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.RemoteLock;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans that are proxies themselves, such as repositories, and what an annotation on a class covers. */
class ProxiedBeansTest {

    interface Named {
        @DistributedLock(key = "'account:' + #id")
        String touch(String id);
    }

    @DistributedLock(key = "'all'")
    interface Annotated {
        String touch(String id);
    }

    /** Implements neither interface, as the class behind a repository. */
    static class Repository {
        public String touch(String id) {
            return "touched " + id;
        }
    }

    /** A proxy around an object that does not implement its interface, as Spring Data makes them. */
    private static <T> T repository(Class<T> type) {
        ProxyFactory proxy = new ProxyFactory();
        proxy.setTarget(new Repository());
        proxy.setInterfaces(type);
        proxy.addAdvice((org.aopalliance.intercept.MethodInterceptor)
                call -> new Repository().touch((String) call.getArguments()[0]));
        return type.cast(proxy.getProxy());
    }

    static class NamedFactory implements FactoryBean<Named> {
        @Override
        public Named getObject() {
            return repository(Named.class);
        }

        @Override
        public Class<?> getObjectType() {
            return Named.class;
        }
    }

    static class AnnotatedFactory implements FactoryBean<Annotated> {
        @Override
        public Annotated getObject() {
            return repository(Annotated.class);
        }

        @Override
        public Class<?> getObjectType() {
            return Annotated.class;
        }
    }

    @Test
    void aKeyOfARepositoryRefersToTheParametersOfItsInterface() {
        try (AspectContext spring = AspectContext.of(NamedFactory.class)) {
            assertThat(spring.bean(Named.class).touch("7")).isEqualTo("touched 7");
            assertThat(spring.locker().events).containsExactly("lock account:7", "unlock account:7");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MadeByALibrary {
        @Bean
        Named named() {
            return repository(Named.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MadeByJava {
        @Bean
        Named named() {
            return (Named) Proxy.newProxyInstance(
                    Named.class.getClassLoader(),
                    new Class<?>[] {Named.class},
                    (self, method, arguments) -> "touched " + arguments[0]);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Lambda {
        @Bean
        Named named() {
            return id -> "touched " + id;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class MethodReference {
        @Bean
        Named named() {
            return new Repository()::touch;
        }
    }

    /** Their classes are final, and a proxy of their interfaces is made. */
    @ParameterizedTest
    @ValueSource(classes = {MadeByALibrary.class, MadeByJava.class, Lambda.class, MethodReference.class})
    void anAnnotatedInterfaceOfAProxyOrALambdaIsLocked(Class<?> configuration) {
        try (AspectContext spring = AspectContext.of(configuration)) {
            assertThat(spring.bean(Named.class).touch("7")).isEqualTo("touched 7");
            assertThat(spring.locker().events).containsExactly("lock account:7", "unlock account:7");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LambdaOfAnAnnotatedType {
        @Bean
        Annotated annotated() {
            return id -> "touched " + id;
        }
    }

    @Test
    void anAnnotationOnTheInterfaceOfALambdaCoversItsMethods() {
        try (AspectContext spring = AspectContext.of(LambdaOfAnAnnotatedType.class)) {
            assertThat(spring.bean(Annotated.class).touch("7")).isEqualTo("touched 7");
            assertThat(spring.locker().events).containsExactly("lock all", "unlock all");
        }
    }

    @Test
    void anAnnotationOnARepositorysInterfaceCoversItsMethods() {
        try (AspectContext spring = AspectContext.of(AnnotatedFactory.class)) {
            spring.bean(Annotated.class).touch("7");
            assertThat(spring.locker().events).containsExactly("lock all", "unlock all");
        }
    }

    static class FrameworkBase {
        public final void configure() {}
    }

    @DistributedLock(key = "'account:' + #id")
    static class CoveredByItsClass extends FrameworkBase implements InitializingBean {
        public String touch(String id) {
            return id;
        }

        @Override
        public void afterPropertiesSet() {}

        @Override
        public String toString() {
            return "covered";
        }
    }

    /** These methods are not called through the proxy, and their parameters are not those of the key. */
    @Test
    void anAnnotationOnAClassDoesNotCoverWhatTheContainerAndBaseClassesCall() {
        assertThatCode(() -> {
                    try (AspectContext spring = AspectContext.of(CoveredByItsClass.class)) {
                        spring.bean(CoveredByItsClass.class).touch("7");
                        assertThat(spring.locker().events).containsExactly("lock account:7", "unlock account:7");
                    }
                })
                .doesNotThrowAnyException();
    }

    interface Handler<R> {
        R handle();
    }

    static class OptionalHandler implements Handler<Optional<String>> {
        @Override
        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public Optional<String> handle() {
            return Optional.of("ran");
        }
    }

    static class StageHandler implements Handler<CompletableFuture<String>> {
        @Override
        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public CompletableFuture<String> handle() {
            return CompletableFuture.completedFuture("ran");
        }
    }

    @Test
    void aSkippedCallAnswersByTheTypeThatTheBeansOwnMethodReturns() {
        for (Class<?> type : List.of(OptionalHandler.class, StageHandler.class)) {
            try (AspectContext spring = AspectContext.of(false, Map.of(), type);
                    RemoteLock busy = spring.locker().getLock("k")) {
                assertThat(busy.isHeld()).isTrue();
                assertThat(spring.bean(Handler.class).handle()).isNotNull();
            }
        }
    }
}
