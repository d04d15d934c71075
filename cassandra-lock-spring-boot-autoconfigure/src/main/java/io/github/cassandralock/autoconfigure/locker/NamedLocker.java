package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.LockerEnvironment;
import io.github.cassandralock.internal.cassandra.RequestObserver;
import io.github.cassandralock.internal.locker.observe.CallObserver;
import io.github.cassandralock.internal.notice.NoticeTransport;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartFactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.NativeDetector;
import org.springframework.core.env.Environment;

/**
 * A locker with a name. It has the same beans as the application's locker, in its own bean factory with its own environment. The
 * factory's parent is the application's factory. Therefore its beans find its own beans first, and then the application's beans.
 * Parts of the application's locker are the exception: they are never found. The context of this bean factory has no parent, so
 * that its events do not reach the application.
 */
public final class NamedLocker implements BeanFactoryAware, InitializingBean, DisposableBean {

    private final String name;
    private final boolean replaced;
    private @Nullable ConfigurableListableBeanFactory application;
    private @Nullable AnnotationConfigApplicationContext context;

    /** @param replaced whether the application has a {@link RemoteLocker} of this name itself */
    NamedLocker(String name, boolean replaced) {
        this.name = name;
        this.replaced = replaced;
    }

    static String beanName(String name) {
        return "cassandraLockLocker." + name;
    }

    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.application = (ConfigurableListableBeanFactory) beanFactory;
    }

    /** Defines the beans. The locker is created when it is requested. */
    @Override
    public void afterPropertiesSet() {
        if (NativeDetector.inNativeImage()) {
            throw new ExplainedException(
                    "The property 'cassandra-lock.lockers." + name
                            + "' configures a locker with a name, which a native image cannot create.",
                    "Run the application on a JVM, or define a RemoteLocker bean by RemoteLockerBuilder.");
        }
        ConfigurableListableBeanFactory parent = Objects.requireNonNull(application);
        OwnBeans beans = new OwnBeans(parent);
        AnnotationConfigApplicationContext created = new AnnotationConfigApplicationContext(beans);
        context = created;
        created.setDisplayName("locker " + name);
        created.setClassLoader(parent.getBeanClassLoader());
        created.setEnvironment(LockerEnvironment.of(name, parent.getBean(Environment.class)));
        created.register(NamedLockerConfiguration.class);
        if (replaced) {
            created.registerBean(LockerConfiguration.LOCKER, Replacement.class, () -> new Replacement(name, parent));
        } else {
            created.register(LockerConfiguration.class);
        }
        created.addBeanFactoryPostProcessor(NamedLocker::preferOwnBeans);
        try {
            created.refresh();
        } catch (BeansException e) {
            throw explained(e);
        }
        parent.getBean(NamedLockersConfiguration.AFTER_START, AfterStart.class).whenReady(() -> begin(beans, created));
    }

    /** Spring destroys no bean whose creation has failed, so a failure ends what has begun. */
    private void begin(OwnBeans beans, AnnotationConfigApplicationContext created) {
        try {
            beans.begin();
        } catch (RuntimeException e) {
            created.close();
            throw explained(e);
        }
    }

    private static void preferOwnBeans(ConfigurableListableBeanFactory beans) {
        for (String bean : beans.getBeanDefinitionNames()) {
            beans.getBeanDefinition(bean).setPrimary(true);
        }
    }

    /** The name of the locker. */
    public String name() {
        return name;
    }

    /** The locker's beans, and the application's beans. */
    public ListableBeanFactory beans() {
        return Objects.requireNonNull(context, "not initialized").getBeanFactory();
    }

    /** @throws ExplainedException if the locker cannot be created; its message has the properties as they are written for it */
    public <T> T bean(Class<T> type) {
        try {
            return beans().getBean(type);
        } catch (BeansException e) {
            throw explained(e);
        }
    }

    /** The locker's own bean. A bean of the application does not count. */
    public <T> Optional<T> own(Class<T> type) {
        return beans().getBeanNamesForType(type).length == 0 ? Optional.empty() : Optional.of(bean(type));
    }

    private RuntimeException explained(RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ExplainedException problem) {
                return new ExplainedException(
                        "The locker '" + name + "' cannot be used. " + ownProperties(problem.getMessage()),
                        ownProperties(problem.action())
                                + " The locker inherits from 'cassandra-lock' what 'cassandra-lock.lockers." + name
                                + "' does not set.",
                        failure);
            }
        }
        return failure;
    }

    private String ownProperties(@Nullable String text) {
        return String.valueOf(text).replace("'cassandra-lock.", "'cassandra-lock.lockers." + name + ".");
    }

    /** Releases the locks, and ends what belongs to the locker. */
    @Override
    public void destroy() {
        if (context != null) {
            context.close();
        }
    }

    /**
     * Its singletons begin their work after the application's singletons exist, which may need the locker. If this locker lacks a
     * part, it does not use the part of another locker.
     */
    private static final class OwnBeans extends DefaultListableBeanFactory {

        private static final long serialVersionUID = 1L;

        /** Classes by their names: some need libraries that may be missing. */
        private static final Set<String> PARTS_OF_ONE_LOCKER = Set.of(
                LockInspections.class.getName(),
                LockerHook.class.getName(),
                NoticeTransport.class.getName(),
                CallObserver.class.getName(),
                RequestObserver.class.getName(),
                "io.github.cassandralock.internal.observation.MeteredCalls");

        OwnBeans(BeanFactory application) {
            super(application);
        }

        @Override
        public void preInstantiateSingletons() {
            // begin() does it
        }

        @Override
        protected Map<String, Object> findAutowireCandidates(
                @Nullable String beanName, Class<?> requiredType, DependencyDescriptor descriptor) {
            Map<String, Object> candidates = super.findAutowireCandidates(beanName, requiredType, descriptor);
            if (PARTS_OF_ONE_LOCKER.contains(requiredType.getName())) {
                candidates.keySet().removeIf(name -> !containsLocalBean(name));
            }
            return candidates;
        }

        void begin() {
            super.preInstantiateSingletons();
        }
    }

    /** A bean of the application in place of the locker. The application closes it. */
    record Replacement(String name, BeanFactory application) implements FactoryBean<RemoteLocker> {

        @Override
        public RemoteLocker getObject() {
            return application.getBean(name, RemoteLocker.class);
        }

        @Override
        public Class<?> getObjectType() {
            return RemoteLocker.class;
        }
    }

    /** A bean of a named locker as a bean of the application. The locker itself is created at the start. */
    record Part<T>(NamedLocker locker, Class<T> type) implements SmartFactoryBean<T> {

        @Override
        public T getObject() {
            return locker.bean(type);
        }

        @Override
        public Class<?> getObjectType() {
            return type;
        }

        @Override
        public boolean isEagerInit() {
            return type == RemoteLocker.class;
        }
    }
}
