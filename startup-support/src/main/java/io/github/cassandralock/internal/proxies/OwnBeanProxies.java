package io.github.cassandralock.internal.proxies;

import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.PriorityOrdered;

/**
 * Decides which proxies Spring makes of this library's beans. An aspect of the application can match them, for example by {@code
 * within(io.github.cassandralock..*)}.
 *
 * <p>A proxy extends the bean's class, even if proxies implement interfaces by default: other beans of the library are injected
 * with the class. A bean whose class cannot be extended gets no proxy, because Spring would stop the start.
 */
public abstract class OwnBeanProxies
        implements BeanFactoryPostProcessor, MergedBeanDefinitionPostProcessor, PriorityOrdered {

    private final List<String> names;

    /** @param names prefixes of the beans' names */
    protected OwnBeanProxies(String... names) {
        this.names = List.of(names);
    }

    /** Whether the class belongs to the library and needs no proxy. */
    protected abstract boolean isOwn(Class<?> type);

    /** Runs before the creator of proxies, which makes proxies even of post-processors. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Stream.of(beans.getBeanDefinitionNames())
                .filter(name -> names.stream().anyMatch(name::startsWith))
                .map(beans::getBeanDefinition)
                .forEach(definition -> definition.setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, true));
    }

    /** Only post-processors make proxies, and Spring initializes a bean with a synthetic definition without them. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        if (isOwn(type) && (Modifier.isFinal(type.getModifiers()) || type.isSealed())) {
            definition.setSynthetic(true);
        }
    }
}
