package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.autoproxy.AbstractAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.core.Conventions;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * Finds annotated methods that would run without their locks. The container calls some on the bean itself; other beans were created
 * before Spring could make proxies, or get none.
 *
 * <p>Receives each bean that the bean factory creates, from the first one on. Singletons are checked when all of them exist. A
 * circular reference can expose a proxy before the bean is ready. Other beans are checked when they are created. A bean that is
 * only registered, such as a mock, is not checked.
 */
public final class UnadvisedBeans
        implements BeanDefinitionRegistryPostProcessor,
                SmartInstantiationAwareBeanPostProcessor,
                MergedBeanDefinitionPostProcessor,
                SmartInitializingSingleton,
                Ordered {

    private static final Logger log = LoggerFactory.getLogger(UnadvisedBeans.class);

    /** Spring Framework 7 sets this attribute of a bean definition for {@code @Proxyable(ProxyType.INTERFACES)}. */
    private static final String EXPOSED_INTERFACES =
            Conventions.getQualifiedAttributeName(AutoProxyUtils.class, "exposedInterfaces");

    private static final String ASPECT = "org.aspectj.lang.annotation.Aspect";

    private final DefaultListableBeanFactory beans;
    private final Supplier<Optional<DistributedLockAspect>> aspect;
    private final BooleanSupplier failing;

    /** Names of beans that are to be checked when all singletons exist. */
    private final Set<String> created = ConcurrentHashMap.newKeySet();

    /** Names of beans that were created before Spring could make proxies. */
    private final Set<String> early = ConcurrentHashMap.newKeySet();

    /** Names of singletons of circular references, whose proxies were made before they were ready. */
    private final Set<String> exposed = ConcurrentHashMap.newKeySet();

    private volatile @Nullable DistributedLockAspect found;
    private volatile boolean started;

    /**
     * @param beans creates the beans that are checked
     * @param aspect empty if the application has none, or several
     * @param failing whether a bean without its locks stops the application; if not, there is a warning
     */
    public UnadvisedBeans(
            DefaultListableBeanFactory beans,
            Supplier<Optional<DistributedLockAspect>> aspect,
            BooleanSupplier failing) {
        this.beans = beans;
        this.aspect = aspect;
        this.failing = failing;
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    /**
     * Observes which beans are created. Spring registers this processor later, after the creator of proxies. The beans that other
     * processors of definitions need exist already, so they are recorded here.
     */
    @Override
    public void postProcessBeanDefinitionRegistry(BeanDefinitionRegistry registry) {
        Stream.of(beans.getSingletonNames()).filter(this::isCreated).forEach(name -> {
            early.add(name);
            created.add(name);
        });
        beans.addBeanPostProcessor(new UntilRegistered());
    }

    /** An object registered without a definition, such as a mock, is neither a processor nor needed by one. */
    private boolean isCreated(String name) {
        return beans.containsBeanDefinition(name)
                && (beans.getDependentBeans(name).length > 0 || isProcessor(beans.getType(name)));
    }

    /**
     * Replaces this processor, which must not be registered twice. Spring counts the processors, and would warn that each bean of
     * the application does not meet all of them.
     */
    private final class UntilRegistered
            implements SmartInstantiationAwareBeanPostProcessor, MergedBeanDefinitionPostProcessor {

        private boolean isOver() {
            return started || beans.getBeanPostProcessors().contains(UnadvisedBeans.this);
        }

        @Override
        public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
            if (!isOver()) {
                UnadvisedBeans.this.postProcessMergedBeanDefinition(definition, type, name);
            }
        }

        @Override
        public Object postProcessBeforeInitialization(Object bean, String name) {
            return isOver() ? bean : UnadvisedBeans.this.postProcessBeforeInitialization(bean, name);
        }

        @Override
        public Object getEarlyBeanReference(Object bean, String name) {
            return isOver() ? bean : UnadvisedBeans.this.getEarlyBeanReference(bean, name);
        }

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return isOver() ? bean : UnadvisedBeans.this.postProcessAfterInitialization(bean, name);
        }
    }

    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        ContainerCalls.named(definition, type).stream()
                .filter(method -> AnnotatedElementUtils.hasAnnotation(method, DistributedLock.class))
                .findFirst()
                .ifPresent(method -> {
                    throw LockOperations.calledByTheContainer(
                            type.getName() + "." + method.getName() + "(…)", "the definition of bean '" + name + "'");
                });
    }

    /** The creator of proxies would fail with a message that does not name the annotation. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        Class<?> type = bean.getClass();
        if (AnnotatedTypes.cannotBeExtended(type) && needsClassProxy(type, name) && AnnotatedTypes.contain(type)) {
            throw new MistakenAnnotationException("@DistributedLock in " + type.getName()
                    + " would have no effect: a proxy cannot extend a final class; make it "
                    + AnnotatedTypes.extensible(type));
        }
        return bean;
    }

    private boolean needsClassProxy(Class<?> type, String name) {
        if (AnnotatedTypes.isKnownByItsInterfaces(type)) {
            return false;
        }
        return ClassUtils.getAllInterfacesForClass(type).length == 0
                || AutoProxyUtils.shouldProxyTargetClass(beans, name)
                || (!exposesItsInterfaces(name)
                        && creators().stream().anyMatch(AbstractAutoProxyCreator::isProxyTargetClass));
    }

    private boolean exposesItsInterfaces(String name) {
        return beans.containsBeanDefinition(name)
                && beans.getMergedBeanDefinition(name).hasAttribute(EXPOSED_INTERFACES);
    }

    private List<AbstractAutoProxyCreator> creators() {
        return beans.getBeanPostProcessors().stream()
                .filter(AbstractAutoProxyCreator.class::isInstance)
                .map(AbstractAutoProxyCreator.class::cast)
                .toList();
    }

    /** For a circular reference, others get this proxy, and {@link #postProcessAfterInitialization} receives the bean behind it. */
    @Override
    public Object getEarlyBeanReference(Object bean, String name) {
        exposed.add(name);
        if (started) {
            check(bean, name);
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!beans.containsBeanDefinition(name)) {
            return bean;
        }
        if (creators().isEmpty()) {
            early.add(name);
        }
        boolean product = !(bean instanceof FactoryBean) && beans.isFactoryBean(name);
        boolean singleton = beans.getMergedBeanDefinition(name).isSingleton();
        if (!started && (early.contains(name) || (singleton && !product))) {
            created.add(name);
        } else if (!exposed.remove(name)) {
            check(bean, name);
        }
        return bean;
    }

    @Override
    public void afterSingletonsInstantiated() {
        started = true;
        exposed.clear();
        List<String> problems = new ArrayList<>();
        for (String name : created) {
            Object bean = finished(name);
            if (bean != null) {
                problem(bean, name).ifPresent(problems::add);
            }
        }
        created.clear();
        report(problems);
    }

    /** Returns what was made of the singleton; for a factory that was created early, its product. */
    private @Nullable Object finished(String name) {
        Object singleton = beans.getSingleton(name);
        Class<?> type = beans.getType(name);
        return early.contains(name) && singleton instanceof FactoryBean && type != null && AnnotatedTypes.contain(type)
                ? beans.getBean(name)
                : singleton;
    }

    private void check(Object bean, String name) {
        report(problem(bean, name).stream().toList());
    }

    private void report(List<String> problems) {
        report(problems, failing);
    }

    static void report(List<String> problems, BooleanSupplier failing) {
        if (problems.isEmpty()) {
            return;
        }
        if (failing.getAsBoolean()) {
            throw new MistakenAnnotationException(String.join("\n", problems)
                    + "\nTo start without these locks, set 'cassandra-lock.aspect.unadvised-beans' to 'warn'");
        }
        problems.forEach(log::warn);
    }

    private Optional<String> problem(Object bean, String name) {
        Class<?> type = ClassUtils.getUserClass(bean);
        if (isOfTheContainer(bean)) {
            return Optional.empty();
        }
        return locks().filter(locks -> locks.isMissingFrom(bean))
                .map(locks -> "Methods with @DistributedLock of bean '" + name + "' (" + type.getName()
                        + ") would run without their locks: " + reason(bean, name));
    }

    static boolean isOfTheContainer(Object bean) {
        return bean instanceof AopInfrastructureBean
                || ClassUtils.getUserClass(bean).getName().startsWith("java.");
    }

    /** Cached once found, because beans of other scopes are created often. */
    private Optional<DistributedLockAspect> locks() {
        if (found == null) {
            found = aspect.get().orElse(null);
        }
        return Optional.ofNullable(found);
    }

    private String reason(Object bean, String name) {
        if (bean instanceof BeanPostProcessor || bean instanceof BeanFactoryPostProcessor) {
            return "it is a post-processor, which is created before Spring makes proxies; move the methods to another bean";
        }
        if (AnnotatedElementUtils.isAnnotated(bean.getClass(), ASPECT)) {
            return "Spring makes no proxies for aspects; move the methods to another bean";
        }
        if (!early.contains(name)) {
            return "no proxy was made for it, or one without the lock; take the lock by RemoteLocker, or have Spring create it";
        }
        return "it was created before Spring could make proxies, because "
                + causeOf(name)
                        .map(processor ->
                                "'" + processor + "' needs it, which is a post-processor; inject an ObjectProvider"
                                        + " there instead, and declare the post-processor's @Bean method static")
                        .orElse("something needs it very early; inject an ObjectProvider there instead");
    }

    /** The post-processor for which a bean was created. */
    private Optional<String> causeOf(String name) {
        Set<String> known = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            for (String dependent : beans.getDependentBeans(open.remove())) {
                if (beans.containsBean(dependent) && isProcessor(beans.getType(dependent))) {
                    return Optional.of(dependent);
                }
                if (known.add(dependent)) {
                    open.add(dependent);
                }
            }
        }
        return Optional.empty();
    }

    private static boolean isProcessor(@Nullable Class<?> type) {
        return type != null
                && (BeanPostProcessor.class.isAssignableFrom(type)
                        || BeanFactoryPostProcessor.class.isAssignableFrom(type));
    }
}
