package io.github.cassandralock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.failure.ExplainedFailureAnalyzer;
import io.github.cassandralock.internal.scheduling.LockTaskScheduler;
import io.github.cassandralock.internal.time.TimerThreads;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ConcurrentTaskScheduler;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** On which scheduler leases are renewed, and on which the application's own methods run. */
class LockSchedulerTest {

    private static final Duration BOUND = Duration.ofSeconds(10);
    private static final String NAME = "cassandraLockTaskScheduler";

    private final ApplicationContextRunner withoutSpringBootsSchedulers = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
            .withUserConfiguration(CassandraLockAutoConfigurationTest.WithCassandra.class)
            .withPropertyValues("cassandra-lock.schema-action=none", "cassandra-lock.keyspace=locks");
    private final ApplicationContextRunner application = withoutSpringBootsSchedulers.withConfiguration(
            AutoConfigurations.of(TaskSchedulingAutoConfiguration.class, TaskExecutionAutoConfiguration.class));

    /** The names of the threads on which methods of the application run. */
    static class Methods {

        private final Set<String> scheduled = ConcurrentHashMap.newKeySet();

        @Scheduled(fixedDelay = 5)
        void run() {
            scheduled.add(Thread.currentThread().getName());
        }

        @Async
        public CompletableFuture<String> async() {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        public Set<String> scheduled() {
            return scheduled;
        }
    }

    @EnableScheduling
    @EnableAsync
    @Configuration(proxyBeanMethods = false)
    static class WithMethods {

        @Bean
        Methods methods() {
            return new Methods();
        }
    }

    private static String scheduledThread(AssertableApplicationContext context) {
        Methods methods = context.getBean(Methods.class);
        Awaitility.await().atMost(BOUND).until(() -> !methods.scheduled().isEmpty());
        assertThat(methods.scheduled()).hasSize(1);
        return methods.scheduled().iterator().next();
    }

    private static String timerThread(AssertableApplicationContext context) {
        CompletableFuture<String> name = context.getBean(Timers.class)
                .after(Duration.ofMillis(20))
                .thenApply(done -> Thread.currentThread().getName());
        assertThat(name).succeedsWithin(BOUND);
        return name.join();
    }

    @Test
    void methodsOfTheApplicationStayOnSpringBootsOwnThreads() {
        application.withUserConfiguration(WithMethods.class).run(context -> {
            assertThat(context.getBean(NAME)).isInstanceOf(LockTaskScheduler.class);
            assertThat(context.getBean("taskScheduler")).isInstanceOf(ThreadPoolTaskScheduler.class);
            assertThat(context).hasBean("applicationTaskExecutor");
            assertThat(timerThread(context)).startsWith("cassandra-lock-");
            assertThat(scheduledThread(context)).startsWith("scheduling-");
            assertThat(context.getBean(Methods.class).async().join()).startsWith("task-");
        });
    }

    @Test
    void methodsOfAnApplicationWithoutASchedulerDoNotRunOnThatOfTheLocks() {
        withoutSpringBootsSchedulers.withUserConfiguration(WithMethods.class).run(context -> {
            assertThat(scheduledThread(context)).startsWith("pool-");
            assertThat(context.getBean(Methods.class).async().join()).startsWith("SimpleAsyncTaskExecutor-");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithExecutor {

        @Bean(destroyMethod = "shutdownNow")
        ScheduledExecutorService jobs() {
            return Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "jobs"));
        }
    }

    @Test
    void scheduledMethodsStayOnTheOnlyScheduledExecutorService() {
        application
                .withUserConfiguration(WithMethods.class, WithExecutor.class)
                .run(context -> assertThat(scheduledThread(context)).isEqualTo("jobs"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithSchedulingConfigurer {

        @Bean
        SchedulingConfigurer ownConfigurer(ScheduledExecutorService jobs) {
            return registrar -> registrar.setScheduler(jobs);
        }
    }

    @Test
    void scheduledMethodsStayOnWhatTheApplicationSetsItself() {
        withoutSpringBootsSchedulers
                .withUserConfiguration(WithMethods.class, WithExecutor.class, WithSchedulingConfigurer.class)
                .run(context -> assertThat(scheduledThread(context)).isEqualTo("jobs"));
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnScheduler {

        @Bean
        Renewals threads() {
            ScheduledThreadPoolExecutor executor = TimerThreads.create();
            executor.setThreadFactory(task -> new Thread(task, "renewals"));
            return new Renewals(executor);
        }

        @Bean(
                name = {"renewals", NAME},
                defaultCandidate = false)
        TaskScheduler renewals(Renewals threads) {
            return new ConcurrentTaskScheduler(threads.executor());
        }
    }

    /** Hides an executor from Spring. */
    record Renewals(ScheduledThreadPoolExecutor executor) {}

    @Test
    void timersRunOnASchedulerOfTheApplicationAlsoUnderAnAlias() {
        application
                .withUserConfiguration(WithMethods.class, WithOwnScheduler.class)
                .run(context -> {
                    assertThat(context).hasNotFailed().hasBean("applicationTaskExecutor");
                    assertThat(timerThread(context)).isEqualTo("renewals");
                    assertThat(scheduledThread(context)).startsWith("scheduling-");
                    assertThat(context.getBean(Methods.class).async().join()).startsWith("task-");
                    context.stop();
                    assertThat(timerThread(context)).isEqualTo("renewals");
                });
    }

    @Test
    void scheduledMethodsDoNotRunOnASchedulerThatTheApplicationDefinesForLocks() {
        withoutSpringBootsSchedulers
                .withUserConfiguration(WithMethods.class, WithOwnScheduler.class, WithExecutor.class)
                .run(context -> assertThat(scheduledThread(context)).isEqualTo("jobs"));
    }

    /** A servlet's context is such a child. */
    @ParameterizedTest
    @ValueSource(classes = {Methods.class, WithOwnScheduler.class})
    void scheduledMethodsOfAChildContextDoNotRunOnTheSchedulerOfTheLocks(Class<?> scheduler) {
        withoutSpringBootsSchedulers.withUserConfiguration(scheduler).run(parent -> {
            assertThat(parent).hasNotFailed();
            new ApplicationContextRunner()
                    .withParent(parent)
                    .withUserConfiguration(WithMethods.class)
                    .run(child -> {
                        assertThat(scheduledThread(child)).startsWith("pool-");
                        assertThat(child.getBean(Methods.class).async().join()).startsWith("SimpleAsyncTaskExecutor-");
                    });
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class WithOwnConcurrentScheduler {

        @Bean(name = NAME, defaultCandidate = false)
        ConcurrentTaskScheduler scheduler() {
            return new ConcurrentTaskScheduler(TimerThreads.create());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithTaskExecutor {

        @Bean
        ThreadPoolTaskExecutor reports() {
            ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
            executor.setThreadNamePrefix("reports-");
            return executor;
        }
    }

    /** Spring Boot's own executor backs off where the application has one. */
    @ParameterizedTest
    @ValueSource(classes = {WithOwnScheduler.class, WithOwnConcurrentScheduler.class})
    void asyncMethodsDoNotRunOnASchedulerThatTheApplicationDefinesForLocks(Class<?> scheduler) {
        application
                .withUserConfiguration(WithMethods.class, WithExecutor.class, scheduler)
                .run(context -> assertThat(
                                context.getBean(Methods.class).async().join())
                        .startsWith("SimpleAsyncTaskExecutor-"));
        withoutSpringBootsSchedulers
                .withUserConfiguration(WithMethods.class, WithTaskExecutor.class, scheduler)
                .run(context -> assertThat(
                                context.getBean(Methods.class).async().join())
                        .startsWith("reports-"));
    }

    @Test
    void pendingTimersFailBeforeTheSchedulerOfTheApplicationEnds() {
        application.withUserConfiguration(WithOwnScheduler.class).run(context -> {
            ScheduledThreadPoolExecutor executor =
                    context.getBean(Renewals.class).executor();
            CompletableFuture<Boolean> openWhenTimersFail = context.getBean(Timers.class)
                    .after(Duration.ofHours(1))
                    .handle((done, failure) -> failure != null && !executor.isShutdown());
            context.close();
            assertThat(openWhenTimersFail).isCompletedWithValue(true);
            assertThat(executor.isShutdown()).isTrue();
        });
    }

    static class MadeByFactory implements FactoryBean<TaskScheduler> {

        private final TaskScheduler made = new ConcurrentTaskScheduler(TimerThreads.create());

        @Override
        public TaskScheduler getObject() {
            return made;
        }

        @Override
        public Class<?> getObjectType() {
            return TaskScheduler.class;
        }
    }

    @Test
    void schedulerMayComeFromAFactoryOrBeNoCandidateAtAll() {
        application
                .withInitializer(context -> register(
                        (BeanDefinitionRegistry) context.getBeanFactory(),
                        BeanDefinitionBuilder.genericBeanDefinition(MadeByFactory.class),
                        false,
                        true))
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withInitializer(context -> register(
                        (BeanDefinitionRegistry) context.getBeanFactory(),
                        BeanDefinitionBuilder.genericBeanDefinition(ConcurrentTaskScheduler.class)
                                .addConstructorArgValue(TimerThreads.create()),
                        true,
                        false))
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** The parent's own methods and those of its other children would run on it. */
    @Test
    void schedulerOfAParentContextStopsTheApplication() {
        new ApplicationContextRunner()
                .withUserConfiguration(WithOwnScheduler.class)
                .run(parent -> application
                        .withParent(parent)
                        .run(context -> assertThat(analysis(context).getDescription())
                                .contains(NAME, "no definition in the application context that has the locks")));
    }

    private static void register(
            BeanDefinitionRegistry registry,
            BeanDefinitionBuilder builder,
            boolean defaultCandidate,
            boolean autowireCandidate) {
        var definition = builder.getBeanDefinition();
        definition.setDefaultCandidate(defaultCandidate);
        definition.setAutowireCandidate(autowireCandidate);
        registry.registerBeanDefinition(NAME, definition);
    }

    @Configuration(proxyBeanMethods = false)
    static class ThreadPool {

        @Bean(name = NAME, defaultCandidate = false)
        ThreadPoolTaskScheduler scheduler() {
            return new ThreadPoolTaskScheduler();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class SimpleAsync {

        @Bean(name = NAME, defaultCandidate = false)
        TaskScheduler scheduler() {
            return new SimpleAsyncTaskScheduler();
        }
    }

    /** The application's own scheduler, under this name as well. */
    @EnableScheduling
    @Configuration(proxyBeanMethods = false)
    static class SpringBootsOwn {

        @Bean(name = NAME, defaultCandidate = false)
        TaskScheduler scheduler(TaskScheduler taskScheduler) {
            return taskScheduler;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ExecutorIsABean {

        @Bean(defaultCandidate = false)
        ScheduledExecutorService renewalThreads() {
            return TimerThreads.create();
        }

        @Bean(name = NAME, defaultCandidate = false)
        TaskScheduler scheduler(@Qualifier("renewalThreads") ScheduledExecutorService threads) {
            return new ConcurrentTaskScheduler(threads);
        }
    }

    /** Leases are renewed on the second executor. */
    @Configuration(proxyBeanMethods = false)
    static class SecondExecutorIsABean {

        @Bean
        ScheduledExecutorService renewalThreads() {
            return TimerThreads.create();
        }

        @Bean(name = NAME, defaultCandidate = false)
        TaskScheduler scheduler(@Qualifier("renewalThreads") ScheduledExecutorService threads) {
            return new ConcurrentTaskScheduler(Runnable::run, threads);
        }
    }

    /** Spring runs methods with {@code @Scheduled} on the only executor, even if it is no default candidate. */
    @ParameterizedTest
    @ValueSource(classes = {ExecutorIsABean.class, SecondExecutorIsABean.class})
    void schedulerWhoseExecutorIsABeanStopsTheApplication(Class<?> configuration) {
        application
                .withUserConfiguration(configuration)
                .run(context -> assertThat(analysis(context).getDescription()).contains(NAME, "'renewalThreads'"));
    }

    @Test
    void unusableSchedulerStopsALazyApplicationAtItsStart() {
        for (Class<?> unusable : List.of(ThreadPool.class, Candidate.class)) {
            application
                    .withUserConfiguration(unusable)
                    .withInitializer(context ->
                            context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                    .run(context ->
                            assertThat(analysis(context).getDescription()).contains(NAME));
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {ThreadPool.class, SimpleAsync.class, SpringBootsOwn.class})
    void schedulerThatTakesPartInTheLifeCycleStopsTheApplication(Class<?> configuration) {
        application
                .withUserConfiguration(configuration)
                .run(context -> assertThat(analysis(context)).satisfies(analysis -> {
                    assertThat(analysis.getDescription()).contains(NAME, "life cycle");
                    assertThat(analysis.getAction())
                            .contains("defaultCandidate = false", "ConcurrentTaskScheduler", "ofVirtual");
                }));
    }

    @Configuration(proxyBeanMethods = false)
    static class Candidate {

        @Bean(NAME)
        TaskScheduler scheduler() {
            return new ConcurrentTaskScheduler(TimerThreads.create());
        }
    }

    @Test
    void schedulerThatIsADefaultCandidateStopsTheApplication() {
        application
                .withUserConfiguration(Candidate.class)
                .run(context -> assertThat(analysis(context).getDescription()).contains(NAME, "default candidate"));
        application
                .withInitializer(context -> context.getBeanFactory()
                        .registerSingleton(NAME, new ConcurrentTaskScheduler(TimerThreads.create())))
                .run(context -> assertThat(analysis(context).getDescription()).contains(NAME, "no definition"));
    }

    @Configuration(proxyBeanMethods = false)
    static class NoScheduler {

        @Bean(name = NAME, defaultCandidate = false)
        Executor scheduler() {
            return Runnable::run;
        }
    }

    @Test
    void beanOfThatNameThatIsNoSchedulerStopsTheApplication() {
        application
                .withUserConfiguration(NoScheduler.class)
                .run(context -> assertThat(analysis(context).getDescription()).contains(NAME, "not a TaskScheduler"));
    }

    private static FailureAnalysis analysis(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return Objects.requireNonNull(new ExplainedFailureAnalyzer().analyze(context.getStartupFailure()));
    }
}
