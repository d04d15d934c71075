package io.github.cassandralock.autoconfigure.scheduler;

import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.internal.scheduling.LockTaskScheduler;
import io.github.cassandralock.internal.scheduling.SchedulerTimers;
import io.github.cassandralock.internal.time.Ticker;
import io.github.cassandralock.internal.time.Timers;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The scheduler on which leases are renewed, and the timers on it. A job of the application that blocks delays no renewal. */
@Configuration(proxyBeanMethods = false)
public class LockSchedulerConfiguration {

    @Bean(LockSchedulerBean.NAME)
    @ConditionalOnMissingLockBean(name = LockSchedulerBean.NAME)
    LockTaskScheduler cassandraLockTaskScheduler(Environment environment) {
        return LockTaskScheduler.withThreads(LockerName.of(environment).threads());
    }

    /** Ends after the locker and before the scheduler. */
    @Bean
    @ConditionalOnMissingLockBean(Timers.class)
    SchedulerTimers cassandraLockTimers(LockTaskScheduler scheduler) {
        return new SchedulerTimers(scheduler.scheduler(), Ticker.system());
    }

    /**
     * Refuses a bean on which leases cannot be renewed. This happens at the start, even if beans are created at their first use.
     */
    @Bean
    static SmartInitializingSingleton cassandraLockSchedulerCheck(ObjectProvider<LockTaskScheduler> scheduler) {
        return scheduler::getObject;
    }

    /** The schedulers of other lockers are no beans of the application. */
    @Configuration(proxyBeanMethods = false)
    public static class OfTheApplication {

        @Bean
        static LockSchedulerBean cassandraLockSchedulerBean() {
            return new LockSchedulerBean();
        }
    }
}
