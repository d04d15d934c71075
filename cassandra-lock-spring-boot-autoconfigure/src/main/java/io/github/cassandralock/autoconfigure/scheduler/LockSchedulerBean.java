package io.github.cassandralock.autoconfigure.scheduler;

import io.github.cassandralock.internal.scheduling.LockTaskScheduler;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.Lifecycle;
import org.springframework.scheduling.TaskScheduler;

/**
 * The bean on which leases are renewed: the locks' own, or the application's under the same name.
 *
 * <p>Makes a scheduler of the application an inner bean of a {@link LockTaskScheduler} with its name. Nothing finds an inner bean
 * by its type. Therefore no job of this context or of a child context runs on it.
 */
final class LockSchedulerBean implements BeanFactoryPostProcessor {

    static final String NAME = "cassandraLockTaskScheduler";

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Class<?> type = beans.getType(NAME, false);
        if (type == null || !LockTaskScheduler.class.isAssignableFrom(type)) {
            String name = definedName(beans)
                    .orElseThrow(
                            () -> unusable("has no definition in the application context that has the locks. Methods"
                                    + " with @Scheduled would run on the threads that renew leases"));
            BeanDefinition scheduler = beans.getBeanDefinition(name);
            requireNoDefaultCandidate(scheduler);
            hide(name, scheduler, (BeanDefinitionRegistry) beans);
        }
    }

    /** The name itself may be an alias. */
    private static Optional<String> definedName(ConfigurableListableBeanFactory beans) {
        return Stream.concat(Stream.of(NAME), Stream.of(beans.getAliases(NAME)))
                .filter(beans::containsBeanDefinition)
                .findFirst();
    }

    private static void requireNoDefaultCandidate(BeanDefinition scheduler) {
        if (scheduler.isAutowireCandidate()
                && !(scheduler instanceof AbstractBeanDefinition known && !known.isDefaultCandidate())) {
            throw unusable(
                    "is a default candidate. Spring Boot's own scheduler and executor would not be created because of it");
        }
    }

    private static void hide(String name, BeanDefinition scheduler, BeanDefinitionRegistry registry) {
        RootBeanDefinition hiding = new RootBeanDefinition(LockSchedulerBean.class);
        hiding.setFactoryMethodName("of");
        hiding.setAutowireMode(AbstractBeanDefinition.AUTOWIRE_CONSTRUCTOR);
        hiding.getConstructorArgumentValues().addIndexedArgumentValue(0, new BeanDefinitionHolder(scheduler, name));
        registry.removeBeanDefinition(name);
        registry.registerBeanDefinition(name, hiding);
    }

    /**
     * Called by Spring with the inner bean.
     *
     * @throws ExplainedException if leases cannot be renewed on the bean
     */
    static LockTaskScheduler of(Object bean, ListableBeanFactory beans) {
        if (!(bean instanceof TaskScheduler scheduler)) {
            throw unusable("is a " + bean.getClass().getName() + ", not a TaskScheduler");
        }
        if (bean instanceof Lifecycle) {
            throw unusable("is a " + bean.getClass().getName()
                    + ", which ends with the life cycle of the application context. The bean would renew no lease while"
                    + " the context is stopped, paused or closing. The process would lose its locks");
        }
        LockTaskScheduler hidden = new LockTaskScheduler(scheduler);
        hidden.executor().ifPresent(executor -> requireNoBean(executor, beans));
        return hidden;
    }

    private static void requireNoBean(Object executor, ListableBeanFactory beans) {
        BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, ScheduledExecutorService.class, false, false)
                .forEach((name, other) -> {
                    if (other == executor) {
                        throw unusable(
                                "has the bean '" + name + "' as its executor. Methods with @Scheduled would run on"
                                        + " the threads that renew leases");
                    }
                });
    }

    /** @param why what is wrong with the bean, without the subject of the sentence */
    private static ExplainedException unusable(String why) {
        return new ExplainedException(
                "The bean 'cassandraLockTaskScheduler', on which leases are renewed, " + why + ".",
                "Define it with '@Bean(defaultCandidate = false)', as a ConcurrentTaskScheduler over an executor that is no"
                        + " bean: 'new ConcurrentTaskScheduler(Executors.newScheduledThreadPool(2))', or, for virtual threads,"
                        + " 'Executors.newScheduledThreadPool(2, Thread.ofVirtual().factory())'. The executor is shut down"
                        + " after the locker. Or remove the bean: then the locks have a scheduler with two threads.");
    }
}
