package io.github.cassandralock.autoconfigure.locker;

import io.github.cassandralock.ReentrantLocks;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.autoconfigure.LockerEnvironment;
import io.github.cassandralock.autoconfigure.LockerName;
import io.github.cassandralock.inspect.LockInspector;
import io.github.cassandralock.internal.properties.OnSwitch;
import io.github.cassandralock.internal.startup.ExplainedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * The lockers of {@code cassandra-lock.lockers}: a {@link RemoteLocker} bean for each name, and the beans over it with the name
 * as qualifier. All are fallbacks, so the application's own beans are injected where no qualifier is written.
 *
 * <p>Not used where the application has no locker at all, as in a slice test.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(RemoteLocker.class)
@Import(NamedLockersConfiguration.Registrar.class)
class NamedLockersConfiguration {

    static final String AFTER_START = "cassandraLockAfterStart";

    @Bean(AFTER_START)
    static AfterStart cassandraLockAfterStart() {
        return new AfterStart();
    }

    /** The application may have a locker of its own, so this is no task of the configuration of that locker. */
    @Bean
    static LockerBeforeSessions cassandraLockNamedLockersBeforeSessions(
            ConfigurableBeanFactory beanFactory, Environment environment) {
        return new LockerBeforeSessions(
                LockerEnvironment.names(environment).stream()
                        .map(NamedLocker::beanName)
                        .toList(),
                beanFactory);
    }

    /** Registers the beans, after the application's own and before other auto-configurations look for them. */
    record Registrar(Environment environment, BeanFactory beans) implements ImportBeanDefinitionRegistrar {

        private static final String REGISTRY = "org.springframework.integration.support.locks.LockRegistry";
        private static final String PROVIDER = "net.javacrumbs.shedlock.core.LockProvider";

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            List<String> names = LockerEnvironment.names(environment).stream()
                    .filter(name -> !isOfAnAncestor(name))
                    .toList();
            if (!names.isEmpty()) {
                requireLocksOfTheirOwn(names);
                names.forEach(name -> register(name, registry));
            }
        }

        /** A child context inherits the properties of its parent, and has the parent's beans. */
        private boolean isOfAnAncestor(String name) {
            return beans.containsBean(NamedLocker.beanName(name));
        }

        private void requireLocksOfTheirOwn(List<String> names) {
            List<String> all = new ArrayList<>(names);
            if (hasConfiguredMainLocker()) {
                all.add(0, LockerName.MAIN);
            }
            Map<Map<ConfigurationPropertyName, String>, String> taken = new HashMap<>();
            for (String name : all) {
                String other = taken.putIfAbsent(LockerEnvironment.place(name, environment), name);
                if (other != null) {
                    throw new ExplainedException(
                            "The lockers '" + other + "' and '" + name
                                    + "' have the same session, keyspace and prefix, so they would have the same locks."
                                    + " A thread that takes a lock by both would wait for itself.",
                            "Give one of them another keyspace, prefix or session in application.yml, for example"
                                    + " 'cassandra-lock.lockers." + name + ".keyspace: " + name.replace('-', '_')
                                    + "'.");
                }
            }
        }

        /** A locker that the application defines in place of the main locker has its locks elsewhere. */
        private boolean hasConfiguredMainLocker() {
            return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                    (ListableBeanFactory) beans, LockerConfiguration.class, true, false)
                            .length
                    > 0;
        }

        private void register(String name, BeanDefinitionRegistry registry) {
            boolean replaced = registry.containsBeanDefinition(name);
            if (name.equals(LockerConfiguration.LOCKER) || (replaced && !beans.isTypeMatch(name, RemoteLocker.class))) {
                throw taken(name, name);
            }
            String holder = NamedLocker.beanName(name);
            RootBeanDefinition locker = new RootBeanDefinition(NamedLocker.class);
            locker.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
            locker.getConstructorArgumentValues().addIndexedArgumentValue(1, replaced);
            registry.registerBeanDefinition(holder, locker);
            parts(name, replaced).forEach((bean, type) -> {
                if (registry.containsBeanDefinition(bean)) {
                    throw taken(bean, name);
                }
                registry.registerBeanDefinition(bean, part(name, type));
            });
        }

        private static ExplainedException taken(String bean, String name) {
            return new ExplainedException(
                    "The locker 'cassandra-lock.lockers." + name + "' has a bean '" + bean
                            + "', but the application has another bean of this name.",
                    "Give the locker, or the bean, another name.");
        }

        /** The beans of a locker that applications inject, with their types. */
        private Map<String, Class<?>> parts(String name, boolean replaced) {
            Map<String, Class<?>> parts = new LinkedHashMap<>();
            if (!replaced) {
                parts.put(name, RemoteLocker.class);
            }
            parts.put(name + "LockInspector", LockInspector.class);
            parts.put(name + "ReentrantLocks", ReentrantLocks.class);
            addIfPresent(parts, name, REGISTRY, "lock-registry");
            addIfPresent(parts, name, PROVIDER, "shedlock");
            return parts;
        }

        private void addIfPresent(Map<String, Class<?>> parts, String name, String className, String property) {
            ClassLoader loader = getClass().getClassLoader();
            if (ClassUtils.isPresent(className, loader)
                    && OnSwitch.isOn(
                            LockerEnvironment.of(name, environment), "cassandra-lock." + property + ".enabled", true)) {
                Class<?> type = ClassUtils.resolveClassName(className, loader);
                parts.put(name + type.getSimpleName(), type);
            }
        }

        private static RootBeanDefinition part(String name, Class<?> type) {
            RootBeanDefinition part = new RootBeanDefinition(NamedLocker.Part.class);
            part.setTargetType(ResolvableType.forClassWithGenerics(NamedLocker.Part.class, type));
            part.getConstructorArgumentValues()
                    .addIndexedArgumentValue(0, new RuntimeBeanReference(NamedLocker.beanName(name)));
            part.getConstructorArgumentValues().addIndexedArgumentValue(1, type);
            part.setDependsOn(NamedLocker.beanName(name));
            part.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
            part.setFallback(true);
            part.setSynthetic(true);
            return part;
        }
    }
}
