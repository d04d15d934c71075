package io.github.cassandralock.autoconfigure.scheduler;

import io.github.cassandralock.internal.startup.ExplainedException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.Lifecycle;
import org.springframework.scheduling.TaskScheduler;

/** The bean on which leases are renewed: the locks' own, or the application's under the same name. */
record LockSchedulerBean(ConfigurableBeanFactory beans) {

    static final String NAME = "cassandraLockTaskScheduler";

    /** @throws ExplainedException if leases cannot be renewed on the bean, or if it changes the application's own schedulers */
    TaskScheduler scheduler() {
        Object bean = beans.getBean(NAME);
        if (!(bean instanceof TaskScheduler scheduler)) {
            throw unusable("is a " + bean.getClass().getName() + ", not a TaskScheduler");
        }
        if (bean instanceof Lifecycle || isMadeByLifecycle()) {
            throw unusable("is a " + bean.getClass().getName()
                    + ", which ends with the life cycle of the application context. The bean would renew no lease while"
                    + " the context is stopped, paused or closing. The process would lose its locks");
        }
        if (isFoundByType()) {
            throw unusable(
                    "is a default candidate. Spring Boot's own scheduler and executor would not be created because of"
                            + " it. Methods with @Scheduled or @Async would run on the threads that renew leases");
        }
        return scheduler;
    }

    /** @param why what is wrong with the bean, without the subject of the sentence */
    private static ExplainedException unusable(String why) {
        return new ExplainedException(
                "The bean 'cassandraLockTaskScheduler', on which leases are renewed, " + why + ".",
                "Define it with '@Bean(defaultCandidate = false)', as a ConcurrentTaskScheduler over an executor of its own:"
                        + " 'new ConcurrentTaskScheduler(executor)'. Define the executor in the same way, so that it is shut"
                        + " down: 'Executors.newScheduledThreadPool(2)', or, for virtual threads,"
                        + " 'Executors.newScheduledThreadPool(2, Thread.ofVirtual().factory())'. Or remove the bean: then the"
                        + " locks have a scheduler with two threads.");
    }

    private boolean isMadeByLifecycle() {
        return beans.containsBean(BeanFactory.FACTORY_BEAN_PREFIX + NAME)
                && beans.getBean(BeanFactory.FACTORY_BEAN_PREFIX + NAME) instanceof Lifecycle;
    }

    /** A bean without a definition, which was registered as an object, is always found. */
    private boolean isFoundByType() {
        try {
            BeanDefinition definition = beans.getMergedBeanDefinition(NAME);
            return definition.isAutowireCandidate()
                    && !(definition instanceof AbstractBeanDefinition known && !known.isDefaultCandidate());
        } catch (NoSuchBeanDefinitionException e) {
            return true;
        }
    }
}
