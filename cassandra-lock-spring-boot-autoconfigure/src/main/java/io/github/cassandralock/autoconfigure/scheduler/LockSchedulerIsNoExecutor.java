package io.github.cassandralock.autoconfigure.scheduler;

import io.github.cassandralock.internal.scheduling.SchedulerAlone;
import java.util.Arrays;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.context.Lifecycle;
import org.springframework.scheduling.TaskScheduler;

/**
 * Makes a scheduler that the application defines for the locks a {@link SchedulerAlone}. Therefore {@code @Async} methods of the
 * application run where they would run without it, and never on threads that renew leases. {@link LockSchedulerBean} refuses a
 * {@link Lifecycle}.
 */
final class LockSchedulerIsNoExecutor implements SmartInstantiationAwareBeanPostProcessor {

    private final BeanFactory beans;

    LockSchedulerIsNoExecutor(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public @Nullable Class<?> predictBeanType(Class<?> beanClass, String beanName) {
        return isExecutor(beanClass) && isOfTheLocks(beanName) ? SchedulerAlone.class : null;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        return isExecutor(bean.getClass()) && isOfTheLocks(beanName) ? new SchedulerAlone((TaskScheduler) bean) : bean;
    }

    private static boolean isExecutor(Class<?> type) {
        return TaskScheduler.class.isAssignableFrom(type)
                && Executor.class.isAssignableFrom(type)
                && !Lifecycle.class.isAssignableFrom(type);
    }

    private boolean isOfTheLocks(String beanName) {
        return beanName.equals(LockSchedulerBean.NAME)
                || Arrays.asList(beans.getAliases(beanName)).contains(LockSchedulerBean.NAME);
    }
}
