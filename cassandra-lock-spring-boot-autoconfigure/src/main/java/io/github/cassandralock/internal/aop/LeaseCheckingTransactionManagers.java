package io.github.cassandralock.internal.aop;

import java.util.function.Supplier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Adds the check of the leases before the commit to every transaction manager of the application. */
public final class LeaseCheckingTransactionManagers implements BeanPostProcessor {

    private final Supplier<DistributedLockAspect> aspect;

    /** @param aspect called for a transaction manager */
    public LeaseCheckingTransactionManagers(Supplier<DistributedLockAspect> aspect) {
        this.aspect = aspect;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager transactionManager) {
            transactionManager.addListener(aspect.get().transactionLeaseCheck());
        }
        return bean;
    }
}
