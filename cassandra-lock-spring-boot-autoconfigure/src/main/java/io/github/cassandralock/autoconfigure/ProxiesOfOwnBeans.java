package io.github.cassandralock.autoconfigure;

import io.github.cassandralock.internal.aop.AnnotatedTypes;
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
 * <p>A proxy extends the bean's class, also where proxies are those of interfaces: other beans of the library are injected with the
 * class. A bean whose class cannot be extended gets no proxy, because Spring would stop the start.
 */
final class ProxiesOfOwnBeans implements BeanFactoryPostProcessor, MergedBeanDefinitionPostProcessor, PriorityOrdered {

    private static final String OWN_CLASSES = "io.github.cassandralock.";

    /** How the names of beans begin. */
    private static final List<String> OWN_BEANS = List.of("remoteLocker", "cassandraLock", "exactlyOnce");

    /** Before the creator of proxies, which makes proxies of post-processors, too. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Stream.of(beans.getBeanDefinitionNames())
                .filter(name -> OWN_BEANS.stream().anyMatch(name::startsWith))
                .map(beans::getBeanDefinition)
                .forEach(definition -> definition.setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, true));
    }

    /**
     * Only post-processors make proxies, and Spring initializes a bean with a synthetic definition without them. A class with
     * {@code @DistributedLock} is left to the check that refuses it.
     */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        if (type.getName().startsWith(OWN_CLASSES)
                && AnnotatedTypes.cannotBeExtended(type)
                && !AnnotatedTypes.contain(type)) {
            definition.setSynthetic(true);
        }
    }
}
