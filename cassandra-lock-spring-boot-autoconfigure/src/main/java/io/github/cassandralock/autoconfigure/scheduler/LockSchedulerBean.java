package io.github.cassandralock.autoconfigure.scheduler;

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

    /** @throws UnusableSchedulerException if leases cannot be renewed on the bean, or if it changes the application's own schedulers */
    TaskScheduler scheduler() {
        Object bean = beans.getBean(NAME);
        if (!(bean instanceof TaskScheduler scheduler)) {
            throw new UnusableSchedulerException("is a " + bean.getClass().getName() + ", not a TaskScheduler");
        }
        if (bean instanceof Lifecycle || isMadeByLifecycle()) {
            throw new UnusableSchedulerException("is a " + bean.getClass().getName()
                    + ", which ends with the life cycle of the application context: it would renew no lease while the context is"
                    + " stopped, paused or closing, and the process would lose its locks");
        }
        if (isFoundByType()) {
            throw new UnusableSchedulerException(
                    "is a default candidate: Spring Boot's own scheduler and executor would not be"
                            + " created because of it, and methods with @Scheduled or @Async would run on the threads that renew leases");
        }
        return scheduler;
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
