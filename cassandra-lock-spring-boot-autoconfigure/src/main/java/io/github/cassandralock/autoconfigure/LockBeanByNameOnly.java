package io.github.cassandralock.autoconfigure;

import com.datastax.oss.driver.api.core.CqlSession;
import java.util.Arrays;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.env.Environment;
import org.springframework.data.cassandra.core.CassandraOperations;

/**
 * Leaves the session or template that is chosen for locks ({@code cassandra-lock.session-bean}, {@code
 * cassandra-lock.template-bean}) out of injection by type if there are others. Otherwise Spring Data, which injects a session by
 * type, would need one that is primary. A bean that is primary, or the only candidate, stays a candidate.
 */
final class LockBeanByNameOnly implements BeanFactoryPostProcessor {

    private final Environment environment;

    LockBeanByNameOnly(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        leaveOut("cassandra-lock.session-bean", CqlSession.class, beans);
        leaveOut("cassandra-lock.template-bean", CassandraOperations.class, beans);
    }

    private void leaveOut(String property, Class<?> type, ConfigurableListableBeanFactory beans) {
        String chosen = environment.getProperty(property);
        if (chosen == null || !beans.containsBeanDefinition(chosen)) {
            return;
        }
        String[] candidates = Arrays.stream(
                        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false))
                .filter(name -> isCandidate(name, beans))
                .toArray(String[]::new);
        if (candidates.length > 1
                && Arrays.asList(candidates).contains(chosen)
                && !beans.getMergedBeanDefinition(chosen).isPrimary()
                && beans.getBeanDefinition(chosen) instanceof AbstractBeanDefinition own) {
            own.setDefaultCandidate(false);
        }
    }

    /** Whether the bean is injected by type. One without a definition in this context is. */
    private static boolean isCandidate(String name, ConfigurableListableBeanFactory beans) {
        return !beans.containsBeanDefinition(name)
                || (beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition
                        && definition.isAutowireCandidate()
                        && definition.isDefaultCandidate());
    }
}
