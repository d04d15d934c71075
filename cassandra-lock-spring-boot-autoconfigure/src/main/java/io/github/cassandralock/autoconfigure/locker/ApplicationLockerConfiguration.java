package io.github.cassandralock.autoconfigure.locker;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.ConditionalOnMissingLockBean;
import io.github.cassandralock.autoconfigure.scheduler.LockSchedulerConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.cassandra.core.CassandraOperations;

/**
 * The locker of the application, without a name. Not used if the application defines a {@link RemoteLocker} itself. A bean that
 * has the name of a named locker takes the place of that locker only.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(ApplicationLockerConfiguration.OnCassandra.class)
@ConditionalOnMissingLockBean(RemoteLocker.class)
@Import({LockerConfiguration.class, LockSchedulerConfiguration.OfTheApplication.class})
class ApplicationLockerConfiguration {

    /** Whether the application has a template or a session. */
    static final class OnCassandra extends AnyNestedCondition {

        OnCassandra() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnBean(CassandraOperations.class)
        static class Template {}

        @ConditionalOnBean(CqlSession.class)
        static class Session {}
    }
}
