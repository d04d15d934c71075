package io.github.cassandralock.autoconfigure.scheduler;

import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.internal.scheduling.LockTaskScheduler;
import io.github.cassandralock.internal.scheduling.SchedulerTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import java.util.concurrent.ScheduledExecutorService;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.config.TaskSchedulerRouter;

/**
 * The scheduler on which leases are renewed, and the timers on it. It is no default candidate, so the application's scheduler and
 * executor do not change. A job that blocks them delays no renewal.
 */
@Configuration(proxyBeanMethods = false)
public class LockSchedulerConfiguration {

    @Bean(name = LockSchedulerBean.NAME, defaultCandidate = false)
    @ConditionalOnMissingLockBean(name = LockSchedulerBean.NAME)
    LockTaskScheduler cassandraLockTaskScheduler(Environment environment) {
        return new LockTaskScheduler(LockerName.of(environment).threads());
    }

    /** Ends after the locker and before the scheduler. */
    @Bean
    @ConditionalOnMissingLockBean(Timers.class)
    SchedulerTimers cassandraLockTimers(ConfigurableListableBeanFactory beans) {
        TaskScheduler scheduler = new LockSchedulerBean(beans).scheduler();
        beans.registerDependentBean(LockSchedulerBean.NAME, "cassandraLockTimers");
        return new SchedulerTimers(scheduler, Ticker.system());
    }

    /**
     * Refuses a bean on which leases cannot be renewed. This happens at the start, even if beans are created at their first use.
     */
    @Bean
    static SmartInitializingSingleton cassandraLockSchedulerCheck(ConfigurableListableBeanFactory beans) {
        return () -> new LockSchedulerBean(beans).scheduler();
    }

    /** Keeps the application's own work from this scheduler. The schedulers of other lockers are no beans of the application. */
    @Configuration(proxyBeanMethods = false)
    public static class OfTheApplication {

        @Bean
        static LockSchedulerIsNoExecutor cassandraLockSchedulerIsNoExecutor(BeanFactory beans) {
            return new LockSchedulerIsNoExecutor(beans);
        }

        @Bean
        @Lazy
        static ScheduledMethods cassandraLockScheduledMethods(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<TaskScheduler> schedulers,
                ObjectProvider<ScheduledExecutorService> executors) {
            return new ScheduledMethods(beans, schedulers, executors, new TaskSchedulerRouter());
        }
    }
}
