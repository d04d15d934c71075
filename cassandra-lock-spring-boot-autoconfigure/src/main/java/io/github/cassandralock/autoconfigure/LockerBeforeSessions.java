package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.session.Session;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.data.cassandra.ReactiveSession;

/**
 * Sees to it that the locker is destroyed, and its locks released, before any session to Cassandra is, whatever else uses
 * that session and whenever it was created.
 *
 * <p>Beans are destroyed in the reverse order of their creation. A {@link ReactiveSession} shares the application's session,
 * is created when somebody first asks for it, and closes what it shares: a locker that was created earlier would be left
 * without a session, and its locks taken for a lease. So each session is told that the locker depends on it: the locker is
 * destroyed before it, and before the locker the beans that depend on the locker.
 */
final class LockerBeforeSessions implements BeanPostProcessor {

    private final String lockerName;
    private final ConfigurableBeanFactory beanFactory;

    LockerBeforeSessions(String lockerName, ConfigurableBeanFactory beanFactory) {
        this.lockerName = lockerName;
        this.beanFactory = beanFactory;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Session || bean instanceof ReactiveSession) {
            beanFactory.registerDependentBean(beanName, lockerName);
        }
        return bean;
    }
}
