package io.github.cassandralock.internal.aop;

import java.util.function.Supplier;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.ConfigurableTransactionManager;

/** Adds the check of the leases before the commit to every transaction manager of the application. */
public record LeaseCheckingTransactionManagers(Supplier<DistributedLockAspect> aspect) implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager transactionManager) {
            transactionManager.addListener(aspect.get().transactionLeaseCheck());
        }
        return bean;
    }
}
