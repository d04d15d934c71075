package io.github.cassandralock.internal.aop;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;

/**
 * Adds the check of the leases before the commit to every transaction manager of the application. The check also covers parent
 * contexts and child contexts that do not have the aspect.
 */
public final class LeaseCheckingTransactionManagers
        implements BeanPostProcessor, SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

    private final Supplier<DistributedLockAspect> aspect;
    private final ConfigurableListableBeanFactory beans;

    /**
     * @param aspect called for a transaction manager
     * @param beans has the transaction managers
     */
    public LeaseCheckingTransactionManagers(
            Supplier<DistributedLockAspect> aspect, ConfigurableListableBeanFactory beans) {
        this.aspect = aspect;
        this.beans = beans;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager transactionManager) {
            check(transactionManager);
        }
        return bean;
    }

    /** Adds the check to transaction managers of parents, before any bean of this context begins to work. */
    @Override
    public void afterSingletonsInstantiated() {
        if (beans.getParentBeanFactory() instanceof ListableBeanFactory parent) {
            BeanFactoryUtils.beansOfTypeIncludingAncestors(parent, ConfigurableTransactionManager.class, false, false)
                    .values()
                    .forEach(this::check);
        }
    }

    /** Adds the check to transaction managers of a child without this bean. A context publishes its events to its parents. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (context.getBeanNamesForType(LeaseCheckingTransactionManagers.class, true, false).length == 0) {
            context.getBeansOfType(ConfigurableTransactionManager.class, false, false)
                    .values()
                    .forEach(this::check);
        }
    }

    /** Replaces the collection: transactions of other contexts may read it now. */
    private void check(ConfigurableTransactionManager transactionManager) {
        TransactionExecutionListener check = aspect.get().transactionLeaseCheck();
        Collection<TransactionExecutionListener> present = transactionManager.getTransactionExecutionListeners();
        if (!present.contains(check)) {
            List<TransactionExecutionListener> all = new ArrayList<>(present);
            all.add(check);
            transactionManager.setTransactionExecutionListeners(all);
        }
    }
}
