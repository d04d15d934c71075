package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.Arrays;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.env.Environment;

/**
 * Leaves the session that is chosen for locks ({@code cassandra-lock.session-bean}) out of injection by type if there are
 * others. Otherwise Spring Data, which injects a session by type, would need one that is primary. A session that is primary, or
 * the only one, stays a candidate.
 */
final class LockSessionByNameOnly implements BeanFactoryPostProcessor {

    private final Environment environment;

    LockSessionByNameOnly(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        String chosen = environment.getProperty("cassandra-lock.session-bean");
        if (chosen == null || !beans.containsBeanDefinition(chosen)) {
            return;
        }
        BeanDefinition definition = beans.getMergedBeanDefinition(chosen);
        String[] sessions = BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, CqlSession.class, true, false);
        boolean isOneOfSeveral = sessions.length > 1 && Arrays.asList(sessions).contains(chosen);
        if (isOneOfSeveral
                && !definition.isPrimary()
                && beans.getBeanDefinition(chosen) instanceof AbstractBeanDefinition own) {
            own.setDefaultCandidate(false);
        }
    }
}
