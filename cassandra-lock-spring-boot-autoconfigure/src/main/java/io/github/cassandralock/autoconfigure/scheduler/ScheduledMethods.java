package io.github.cassandralock.autoconfigure.scheduler;

import java.util.Arrays;
import java.util.concurrent.ScheduledExecutorService;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import org.springframework.scheduling.config.TaskSchedulerRouter;

/**
 * Keeps methods with {@code @Scheduled} off the scheduler of the locks. Spring runs them on the only bean of type {@link
 * TaskScheduler}, even if that bean is no default candidate. The locks' scheduler is the only one if the application has a {@link
 * ScheduledExecutorService} bean, or excludes Spring Boot's schedulers.
 *
 * @param schedulers those that are injected by type, without the scheduler of the locks
 * @param withoutLocks ignores the scheduler of the locks; has a thread of its own if there is no executor
 */
record ScheduledMethods(
        ConfigurableListableBeanFactory beans,
        ObjectProvider<TaskScheduler> schedulers,
        ObjectProvider<ScheduledExecutorService> executors,
        TaskSchedulerRouter withoutLocks)
        implements SchedulingConfigurer, DisposableBean {

    /** A scheduler that the application sets stays in use, even if it is set before this call. */
    @Override
    public void configureTasks(ScheduledTaskRegistrar registrar) {
        TaskScheduler current = registrar.getScheduler();
        if (current != null && current.getClass() == TaskSchedulerRouter.class && springFindsThatOfTheLocks()) {
            TaskSchedulerRouter router = new Router();
            router.setBeanFactory(beans);
            registrar.setTaskScheduler(router);
        }
    }

    private boolean springFindsThatOfTheLocks() {
        String[] own = beans.getBeanNamesForType(TaskScheduler.class);
        String[] names =
                own.length > 0 ? own : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, TaskScheduler.class);
        return names.length == 1
                && (names[0].equals(LockSchedulerBean.NAME)
                        || Arrays.asList(beans.getAliases(LockSchedulerBean.NAME))
                                .contains(names[0]));
    }

    @Override
    public void destroy() {
        withoutLocks.destroy();
    }

    /** Finds a scheduler that a method names, as Spring's router does. */
    private final class Router extends TaskSchedulerRouter {

        @Override
        protected TaskScheduler determineDefaultScheduler() {
            return schedulers.getIfUnique(() -> {
                StaticListableBeanFactory found = new StaticListableBeanFactory();
                executors.ifUnique(executor -> found.addBean(DEFAULT_TASK_SCHEDULER_BEAN_NAME, executor));
                withoutLocks.setBeanFactory(found);
                return withoutLocks;
            });
        }
    }
}
