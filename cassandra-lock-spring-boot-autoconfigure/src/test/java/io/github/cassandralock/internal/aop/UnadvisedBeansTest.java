package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.OnLost.INTERRUPT;
import static io.github.cassandralock.DistributedLock.WhenBusy.SKIP;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import io.github.cassandralock.DistributedLock;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.context.support.SimpleThreadScope;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import reactor.core.publisher.Mono;

/** Catches annotated methods that would run without their locks, without a word. */
@ExtendWith(OutputCaptureExtension.class)
class UnadvisedBeansTest {

    static class ByPostConstruct {
        @PostConstruct
        @DistributedLock(key = "'k'")
        public void run() {}
    }

    static class Preparing {
        @PostConstruct
        public void run() {}
    }

    static class ByInheritedPostConstruct extends Preparing {
        @Override
        @DistributedLock(key = "'k'")
        public void run() {}
    }

    static class ByPreDestroy {
        @PreDestroy
        @DistributedLock(key = "'k'")
        public void run() {}
    }

    static class ByInjection {
        @Autowired
        @DistributedLock(key = "'k'")
        public void run(InMemoryLocker locker) {}
    }

    static class ByInitializingBean implements InitializingBean {
        @Override
        @DistributedLock(key = "'k'")
        public void afterPropertiesSet() {}
    }

    static class ByDisposableBean implements DisposableBean {
        @Override
        @DistributedLock(key = "'k'")
        public void destroy() {}
    }

    static class Worker {
        @DistributedLock(key = "'k'")
        public void begin() {}

        @DistributedLock(key = "'k'")
        public void shutdown() {}
    }

    static class Closing implements AutoCloseable {
        @Override
        @DistributedLock(key = "'k'")
        public void close() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ByInitMethod {
        @Bean(initMethod = "begin", destroyMethod = "")
        Worker worker() {
            return new Worker();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByDestroyMethod {
        @Bean(destroyMethod = "begin")
        Worker worker() {
            return new Worker();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ByInferredMethod {
        @Bean
        Worker worker() {
            return new Worker();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutDestroyMethod {
        @Bean(destroyMethod = "")
        Worker worker() {
            return new Worker();
        }
    }

    private static void assertRefused(Class<?> component, String... texts) {
        assertThatThrownBy(() -> AspectContext.of(component).close())
                .extracting(NestedExceptionUtils::getMostSpecificCause, as(InstanceOfAssertFactories.THROWABLE))
                .isInstanceOf(MistakenAnnotationException.class)
                .hasMessageContainingAll(texts);
    }

    @Test
    void callbackOfTheContainerIsRefused() {
        String why = "The container calls the method on the bean itself";
        assertRefused(ByPostConstruct.class, "ByPostConstruct.run", "@PostConstruct", why);
        assertRefused(ByInheritedPostConstruct.class, "ByInheritedPostConstruct.run", "@PostConstruct", why);
        assertRefused(ByPreDestroy.class, "ByPreDestroy.run", "@PreDestroy", why);
        assertRefused(ByInjection.class, "ByInjection.run", "@Autowired", why);
        assertRefused(ByInitializingBean.class, "afterPropertiesSet", "InitializingBean", why);
        assertRefused(ByDisposableBean.class, "destroy", "DisposableBean", why);
        assertRefused(ByInitMethod.class, "Worker.begin", "bean 'worker'", why);
        assertRefused(ByDestroyMethod.class, "Worker.begin", "bean 'worker'", why);
        assertRefused(ByInferredMethod.class, "Worker.shutdown", "bean 'worker'", why);
        assertRefused(Closing.class, "Closing.close", why);
        try (AspectContext spring = AspectContext.of(WithoutDestroyMethod.class)) {
            spring.bean(Worker.class).shutdown();
            assertThat(spring.locker().events).containsExactly("lock k", "unlock k");
        }
    }

    @DistributedLock(key = "'k:' + #id")
    static class CoveredClass implements SmartLifecycle, SmartInitializingSingleton, Ordered, AutoCloseable {

        private volatile boolean running;

        public void touch(String id) {}

        @PostConstruct
        public void prepare() {}

        @PreDestroy
        public void finish() {}

        @Override
        public void afterSingletonsInstantiated() {}

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getOrder() {
            return 1;
        }

        @Override
        public void close() {}
    }

    @Test
    void annotationOfAClassCoversNoCallback() {
        try (AspectContext spring = AspectContext.of(CoveredClass.class)) {
            spring.bean(CoveredClass.class).touch("7");
            assertThat(spring.locker().events).containsExactly("lock k:7", "unlock k:7");
        }
    }

    @DistributedLock(key = "'k:' + #id")
    static class CoveredWorker {
        public void touch(String id) {}

        public void begin() {}

        public void shutdown() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class WithNamedCallbacks {
        @Bean(initMethod = "begin")
        CoveredWorker worker() {
            return new CoveredWorker();
        }
    }

    @Test
    void annotationOfAClassCoversNoMethodThatADefinitionNames() {
        try (AspectContext spring = AspectContext.of(WithNamedCallbacks.class)) {
            spring.bean(CoveredWorker.class).touch("7");
            assertThat(spring.locker().events).containsExactly("lock k:7", "unlock k:7");
        }
    }

    static class WithoutAnnotation {
        public void run() {}
    }

    @DistributedLock(key = "'k'")
    static class Covered {
        public void run() {}

        public void touch(String id) {}
    }

    /** A search looks through all definitions, for each method of each bean. */
    @Test
    void definitionsAreSearchedOnlyForBeansWithAnAnnotation() {
        AtomicInteger searches = new AtomicInteger();
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory() {
            @Override
            public String[] getBeanNamesForType(@Nullable Class<?> type, boolean nonSingletons, boolean eagerly) {
                searches.incrementAndGet();
                return super.getBeanNamesForType(type, nonSingletons, eagerly);
            }
        };
        assertThat(AspectContext.operations(beans).areIn(WithoutAnnotation.class))
                .isFalse();
        assertThat(searches).hasValue(0);
        assertThat(AspectContext.operations(beans).areIn(Covered.class)).isTrue();
        assertThat(searches).hasValue(1);
    }

    /** The container asks the proxy for these. */
    static class ByLifecycle implements SmartLifecycle, SmartInitializingSingleton {

        private volatile boolean running;

        @Override
        @DistributedLock(key = "'singletons'")
        public void afterSingletonsInstantiated() {}

        @Override
        @DistributedLock(key = "'start'")
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @Test
    void callbackThatPassesTheProxyRunsUnderItsLock() {
        try (AspectContext spring = AspectContext.of(ByLifecycle.class)) {
            assertThat(spring.locker().events)
                    .containsExactly("lock singletons", "unlock singletons", "lock start", "unlock start");
        }
    }

    static class Accounts {
        @DistributedLock(key = "'account:' + #id")
        public void touch(String id) {}
    }

    /** Needs {@link Accounts} before Spring has made any proxy. */
    static class Processor implements BeanPostProcessor, PriorityOrdered {

        Processor(Object needed) {}

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    static class OrderedProcessor implements BeanPostProcessor, Ordered {

        OrderedProcessor(Object needed) {}

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    static class FactoryProcessor implements BeanFactoryPostProcessor {

        FactoryProcessor(Object needed) {}

        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory factory) {}
    }

    /** Is created before the one that looks for beans is asked for anything. */
    static class DefinitionProcessor implements BeanDefinitionRegistryPostProcessor, PriorityOrdered {

        DefinitionProcessor(Object needed) {}

        @Override
        public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {}

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForADefinitionPostProcessor {
        @Bean
        static DefinitionProcessor impatient(Accounts accounts) {
            return new DefinitionProcessor(accounts);
        }

        @Bean
        static Accounts accounts() {
            return new Accounts();
        }
    }

    static class Middle {
        Middle(Accounts accounts) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ForAPostProcessor {
        @Bean
        static Processor impatient(Middle middle) {
            return new Processor(middle);
        }

        @Bean
        static Middle middle(Accounts accounts) {
            return new Middle(accounts);
        }

        @Bean
        static Accounts accounts() {
            return new Accounts();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForAFactoryPostProcessor {
        @Bean
        static FactoryProcessor impatient(Accounts accounts) {
            return new FactoryProcessor(accounts);
        }

        @Bean
        static Accounts accounts() {
            return new Accounts();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForAnOrderedPostProcessor {
        @Bean
        static OrderedProcessor impatient(Accounts accounts) {
            return new OrderedProcessor(accounts);
        }

        @Bean
        static Accounts accounts() {
            return new Accounts();
        }
    }

    static class EarlyFactory implements FactoryBean<Accounts> {
        @Override
        public Accounts getObject() {
            return new Accounts();
        }

        @Override
        public Class<?> getObjectType() {
            return Accounts.class;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForAPostProcessorByFactory {
        @Bean
        static Processor impatient(Accounts accounts) {
            return new Processor(accounts);
        }

        @Bean
        static EarlyFactory accounts() {
            return new EarlyFactory();
        }
    }

    @Test
    void beanThatAPostProcessorNeedsIsRefused() {
        for (Class<?> early : List.of(
                ForAPostProcessor.class,
                ForAFactoryPostProcessor.class,
                ForADefinitionPostProcessor.class,
                ForAnOrderedPostProcessor.class,
                ForAPostProcessorByFactory.class)) {
            assertRefused(
                    early,
                    "bean 'accounts'",
                    Accounts.class.getName(),
                    "'impatient' needs it, which is a post-processor",
                    "ObjectProvider",
                    "unadvised-beans");
        }
    }

    static class AnnotatedProcessor implements BeanPostProcessor, PriorityOrdered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @DistributedLock(key = "'k'")
        public void run() {}
    }

    @Test
    void annotatedPostProcessorIsRefused() {
        assertRefused(AnnotatedProcessor.class, "AnnotatedProcessor", "it is a post-processor");
    }

    @Configuration(proxyBeanMethods = false)
    static class OnABeanMethod {
        @Bean
        @DistributedLock(key = "'k'")
        public Object resource() {
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OnAStaticBeanMethod {
        @Bean
        @DistributedLock(key = "'k'")
        public static Object resource() {
            return new Object();
        }
    }

    @Configuration
    @DistributedLock(key = "'k'")
    static class OnAConfiguration {
        @Bean
        public Object resource() {
            return new Object();
        }
    }

    @DistributedLock(key = "'k'")
    static class OnAClassWithoutPublicMethods {
        void run() {}
    }

    static class WhenBusyOfAWaitingCall {
        @DistributedLock(key = "'k'", whenBusy = SKIP)
        public void run() {}
    }

    static class InterruptOfAPublisher {
        @DistributedLock(key = "'k'", onLost = INTERRUPT)
        public Mono<Void> run() {
            return Mono.empty();
        }
    }

    @Test
    void annotationWithoutEffectIsRefused() {
        assertRefused(OnABeanMethod.class, "OnABeanMethod.resource", "@Bean method");
        assertRefused(OnAStaticBeanMethod.class, "OnAStaticBeanMethod.resource", "@Bean method");
        assertRefused(OnAConfiguration.class, "OnAConfiguration", "no public method");
        assertRefused(OnAClassWithoutPublicMethods.class, "OnAClassWithoutPublicMethods", "no public method");
        assertRefused(WhenBusyOfAWaitingCall.class, "whenBusy = SKIP", "GET_LOCK waits");
        assertRefused(InterruptOfAPublisher.class, "onLost = INTERRUPT", "publisher");
    }

    static final class FinalClass {
        @DistributedLock(key = "'k'")
        public void run() {}
    }

    record Value(String text) {
        @DistributedLock(key = "'k'")
        public void run() {}
    }

    interface Runs {
        void run();
    }

    static final class FinalBehindAnInterface implements Runs {
        @Override
        @DistributedLock(key = "'k'")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class ARecord {
        @Bean
        Value value() {
            return new Value("v");
        }
    }

    @Test
    void finalClassIsRefusedUnlessItsInterfacesAreProxied() {
        assertRefused(FinalClass.class, "FinalClass", "cannot extend a final class", "non-final");
        assertRefused(ARecord.class, "Value", "cannot extend a final class");
        assertRefused(FinalBehindAnInterface.class, "FinalBehindAnInterface", "cannot extend a final class");
        try (AspectContext spring = AspectContext.of(false, Map.of(), FinalBehindAnInterface.class)) {
            spring.bean(Runs.class).run();
            assertThat(spring.locker().events).containsExactly("lock k", "unlock k");
        }
    }

    @Test
    void warningInPlaceOfAFailureNamesTheBeanAndTheReason(CapturedOutput output) {
        try (AspectContext spring = AspectContext.warning(ForAPostProcessor.class)) {
            spring.bean(Accounts.class).touch("7");
            assertThat(spring.locker().events).isEmpty();
            assertThat(output).contains("of bean 'accounts'", "'impatient' needs it");
        }
    }

    @Lazy
    static class LazyOne extends Accounts {}

    @Scope("prototype")
    static class Prototype extends Accounts {}

    @Scope(scopeName = "thread", proxyMode = ScopedProxyMode.TARGET_CLASS)
    static class Scoped extends Accounts {}

    @Lazy
    static class FirstOfACircle extends Accounts {
        @Autowired
        @Nullable
        SecondOfACircle second;
    }

    @Lazy
    static class SecondOfACircle extends Accounts {
        @Autowired
        @Nullable
        FirstOfACircle first;
    }

    static class EagerFirst extends Accounts {
        @Autowired
        @Nullable
        EagerSecond second;
    }

    static class EagerSecond extends Accounts {
        @Autowired
        @Nullable
        EagerFirst first;
    }

    @Configuration(proxyBeanMethods = false)
    static class WithThreadScope {
        @Bean
        static BeanFactoryPostProcessor threadScope() {
            return beans -> beans.registerScope("thread", new SimpleThreadScope());
        }
    }

    @Test
    void beansThatAreCreatedLaterAndCirclesAreLocked() {
        for (Class<? extends Accounts> type :
                List.of(LazyOne.class, Prototype.class, Scoped.class, FirstOfACircle.class, EagerFirst.class)) {
            try (AspectContext spring = AspectContext.of(
                    WithThreadScope.class,
                    type,
                    type == EagerFirst.class ? EagerSecond.class : SecondOfACircle.class)) {
                spring.bean(type).touch("7");
                assertThat(spring.locker().events)
                        .as(type.getSimpleName())
                        .containsExactly("lock account:7", "unlock account:7");
            }
        }
    }

    /** Gives others the bean that Spring has wrapped, as some libraries do with beans that they wrap themselves. */
    static class Unwrapping implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof Accounts ? new Accounts() : bean;
        }
    }

    @Test
    void beanThatLosesItsProxyLaterIsRefused() {
        assertThatThrownBy(
                        () -> AspectContext.of(Unwrapping.class, Accounts.class).close())
                .isInstanceOf(MistakenAnnotationException.class)
                .hasMessageContainingAll("Accounts", "no proxy was made for it");
    }

    @ParameterizedTest
    @ValueSource(classes = {LazyOne.class, Prototype.class})
    void beanThatIsCreatedLaterWithoutItsLockIsRefusedThen(Class<? extends Accounts> type) {
        try (AspectContext spring = AspectContext.of(Unwrapping.class, type)) {
            assertThatThrownBy(() -> spring.context().getBean(type))
                    .rootCause()
                    .isInstanceOf(MistakenAnnotationException.class)
                    .hasMessageContaining(type.getSimpleName());
        }
    }

    @Test
    void mocksAndRegisteredObjectsAreNotLookedAt() {
        assertThatCode(() -> AspectContext.with(context -> {
                            context.getBeanFactory().registerSingleton("registered", new Accounts());
                            context.registerBean("mocked", Accounts.class, Accounts::new);
                            context.getBeanFactory().registerSingleton("mocked", mock(Accounts.class));
                        })
                        .close())
                .doesNotThrowAnyException();
    }

    static class Patient implements BeanPostProcessor, PriorityOrdered {

        Patient(ObjectProvider<Accounts> accounts) {}

        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithPatience {
        @Bean
        static Patient patient(ObjectProvider<Accounts> accounts) {
            return new Patient(accounts);
        }
    }

    @Test
    void postProcessorThatAsksLaterIsNoReason() {
        assertThatCode(() ->
                        AspectContext.of(WithPatience.class, Accounts.class).close())
                .doesNotThrowAnyException();
    }
}
