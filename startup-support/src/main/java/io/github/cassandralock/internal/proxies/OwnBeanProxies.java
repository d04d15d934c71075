package io.github.cassandralock.internal.proxies;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.PriorityOrdered;

/**
 * Decides which proxies Spring makes of the beans that this library defines. An aspect of the application can match them, for
 * example by {@code within(io.github.cassandralock..*)}.
 *
 * <p>A proxy extends the bean's class, even if proxies implement interfaces by default. Other beans of the library need the
 * class. A bean whose class cannot be extended gets no proxy, because Spring would stop the start. A bean that the application
 * defines is not changed, even if its class belongs to the library.
 *
 * <p>Makes the configurations of the library lazy. A configuration with static methods only is then never created.
 */
public abstract class OwnBeanProxies
        implements BeanFactoryPostProcessor, MergedBeanDefinitionPostProcessor, PriorityOrdered {

    private static final String LIBRARY = "io.github.cassandralock.";

    private final String configurations;
    private final List<String> names;

    /**
     * @param configurations the package in which, and below which, the library defines the beans
     * @param names prefixes of the beans' names
     */
    protected OwnBeanProxies(String configurations, String... names) {
        this.configurations = configurations + ".";
        this.names = List.of(names);
    }

    /** Runs before the creator of proxies, which makes proxies even of post-processors. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            if (names.stream().anyMatch(name::startsWith)) {
                beans.getBeanDefinition(name).setAttribute(AutoProxyUtils.PRESERVE_TARGET_CLASS_ATTRIBUTE, true);
            }
            if (name.startsWith(configurations)) {
                beans.getBeanDefinition(name).setLazyInit(true);
            }
        }
    }

    /** Whether applications define beans of this class as values: nothing calls them back, and no aspect means them. */
    protected boolean isValue(Class<?> type) {
        return false;
    }

    /** Only post-processors make proxies, and Spring initializes a bean with a synthetic definition without them. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        boolean cannotBeExtended = Modifier.isFinal(type.getModifiers()) || type.isSealed();
        if (cannotBeExtended && (isOwn(definition, type) || isValue(type))) {
            definition.setSynthetic(true);
        }
    }

    /** A configuration has a factory method for each of its beans. The library registers configurations and properties by class. */
    private boolean isOwn(RootBeanDefinition definition, Class<?> type) {
        Method factoryMethod = definition.getResolvedFactoryMethod();
        Class<?> definedBy = factoryMethod == null ? type : factoryMethod.getDeclaringClass();
        return definedBy.getName().startsWith(configurations) && type.getName().startsWith(LIBRARY);
    }
}
