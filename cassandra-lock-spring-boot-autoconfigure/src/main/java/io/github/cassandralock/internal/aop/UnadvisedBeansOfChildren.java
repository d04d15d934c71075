package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AbstractAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.InfrastructureAdvisorAutoProxyCreator;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Finds {@link DistributedLock} methods that would run without their locks in child contexts without {@link UnadvisedBeans}. The
 * context of a servlet is such a child. Its beans get no proxies, unless it creates proxies for the aspect of its parent.
 */
public final class UnadvisedBeansOfChildren implements ApplicationListener<ContextRefreshedEvent> {

    private final DefaultListableBeanFactory parent;
    private final Supplier<Optional<DistributedLockAspect>> aspect;
    private final Predicate<Environment> checked;
    private final Predicate<Environment> failing;

    /**
     * @param parent has the aspect, or is a child of the context that has it
     * @param aspect empty if the application has none, or several
     * @param checked whether a context has locks
     * @param failing whether beans without their locks end the start of a context; if not, there is a warning
     */
    public UnadvisedBeansOfChildren(
            DefaultListableBeanFactory parent,
            Supplier<Optional<DistributedLockAspect>> aspect,
            Predicate<Environment> checked,
            Predicate<Environment> failing) {
        this.parent = parent;
        this.aspect = aspect;
        this.checked = checked;
        this.failing = failing;
    }

    /** The ancestors of a context also receive its events. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext child = event.getApplicationContext();
        if (child.getAutowireCapableBeanFactory() instanceof DefaultListableBeanFactory beans
                && isBelow(child)
                && checked.test(child.getEnvironment())) {
            aspect.get()
                    .ifPresent(locks ->
                            UnadvisedBeans.report(problems(beans, locks), () -> failing.test(child.getEnvironment())));
        }
    }

    /** Whether the nearest context with checks of its own is the parent, and not the context itself or one between. */
    private boolean isBelow(ApplicationContext child) {
        ApplicationContext nearest = child;
        while (nearest != null && nearest.getBeanNamesForType(UnadvisedBeans.class, true, false).length == 0) {
            nearest = nearest.getParent();
        }
        return nearest != null && nearest != child && nearest.getAutowireCapableBeanFactory() == parent;
    }

    private static List<String> problems(DefaultListableBeanFactory beans, DistributedLockAspect locks) {
        boolean advised = beans.getBeanPostProcessors().stream().anyMatch(UnadvisedBeansOfChildren::findsTheAspect);
        return Stream.of(beans.getBeanDefinitionNames())
                .filter(name -> present(name, beans)
                        .map(bean -> !UnadvisedBeans.isOfTheContainer(bean) && locks.isMissingFrom(bean))
                        .orElseGet(() -> !advised && isAnnotated(beans.getType(name, false))))
                .map(name -> "Methods with @DistributedLock of bean '" + name + "' (" + typeName(name, beans)
                        + ") would run without their locks: its application context makes no proxies for them. Define the"
                        + " bean in the context that has the locks, or import CassandraLockAutoConfiguration into the"
                        + " bean's context")
                .toList();
    }

    /** The bean, if it exists already and makes no other bean. */
    private static Optional<Object> present(String name, DefaultListableBeanFactory beans) {
        return Optional.ofNullable(beans.getSingleton(name)).filter(bean -> !(bean instanceof FactoryBean));
    }

    private static boolean isAnnotated(@Nullable Class<?> type) {
        return type != null && AnnotatedTypes.contain(type);
    }

    private static String typeName(String name, DefaultListableBeanFactory beans) {
        Class<?> type = beans.getType(name, false);
        return type == null ? "unknown type" : ClassUtils.getUserClass(type).getName();
    }

    /** The creator of Spring Boot without AspectJ uses advisors of its own context only. */
    private static boolean findsTheAspect(Object processor) {
        return processor instanceof AbstractAutoProxyCreator
                && !(processor instanceof InfrastructureAdvisorAutoProxyCreator);
    }
}
