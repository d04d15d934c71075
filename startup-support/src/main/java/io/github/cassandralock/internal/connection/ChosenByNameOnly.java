package io.github.cassandralock.internal.connection;

import java.util.Arrays;
import java.util.Map;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.env.Environment;

/**
 * Leaves beans that properties name, such as a session to Cassandra, out of injection by type if there are others. Otherwise Spring
 * Data, which injects a session by type, would need a primary one. A bean that is primary, or the only candidate, stays a
 * candidate.
 *
 * @param properties that name a bean, with its type
 */
public record ChosenByNameOnly(Environment environment, Map<String, Class<?>> properties)
        implements BeanFactoryPostProcessor {

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        properties.forEach((property, type) -> leaveOut(property, type, beans));
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

    /** Whether the bean is injected by type; true for a bean without a definition in this context. */
    public static boolean isCandidate(String name, ConfigurableListableBeanFactory beans) {
        return !beans.containsBeanDefinition(name)
                || (beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition
                        && definition.isAutowireCandidate()
                        && definition.isDefaultCandidate());
    }
}
