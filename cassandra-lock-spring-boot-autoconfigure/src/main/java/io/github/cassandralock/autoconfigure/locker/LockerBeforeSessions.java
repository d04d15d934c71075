package io.github.cassandralock.autoconfigure.locker;

import com.datastax.oss.driver.api.core.session.Session;
import io.github.cassandralock.internal.notice.NoticeTransport;
import java.util.List;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.data.cassandra.ReactiveSession;

/**
 * Ensures that the locker is destroyed before any session to Cassandra and the port of notices. Its locks are released first.
 *
 * <p>Spring destroys beans in the reverse order of their creation. A {@link ReactiveSession} wraps the application's session, may
 * be created late, and closes the wrapped session. An earlier locker could then not release its locks, and they would stay taken
 * for a lease. The port is created after the locker if the application starts without Cassandra. This post-processor therefore
 * registers the lockers as dependent on all of them.
 */
final class LockerBeforeSessions implements BeanPostProcessor {

    private final List<String> lockerNames;
    private final ConfigurableBeanFactory beanFactory;

    LockerBeforeSessions(List<String> lockerNames, ConfigurableBeanFactory beanFactory) {
        this.lockerNames = lockerNames;
        this.beanFactory = beanFactory;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof Session || bean instanceof ReactiveSession || bean instanceof NoticeTransport) {
            lockerNames.forEach(locker -> beanFactory.registerDependentBean(beanName, locker));
        }
        return bean;
    }
}
