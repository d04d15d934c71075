package io.github.cassandralock.internal.aop;

import io.github.cassandralock.internal.transactionlistener.TransactionListenerInstaller;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** An application context with the aspect on an {@link InMemoryLocker}. */
record AspectContext(InMemoryLocker locker, AnnotationConfigApplicationContext context) implements AutoCloseable {

    /** Operations of annotations that choose no locker. */
    static LockOperations operations(ConfigurableListableBeanFactory beans) {
        return new LockOperations(beans, new ChosenLockers(InMemoryLocker::new, beans));
    }

    static AspectContext of(boolean proxyClasses, Map<String, Object> properties, Class<?>... components) {
        return of(proxyClasses, true, properties, context -> context.register(components));
    }

    static AspectContext of(Class<?>... components) {
        return of(true, Map.of(), components);
    }

    /** What would run without its lock is a warning. */
    static AspectContext warning(Class<?>... components) {
        return of(true, false, Map.of(), context -> context.register(components));
    }

    static AspectContext with(Consumer<AnnotationConfigApplicationContext> components) {
        return of(true, true, Map.of(), components);
    }

    private static AspectContext of(
            boolean proxyClasses,
            boolean failing,
            Map<String, Object> properties,
            Consumer<AnnotationConfigApplicationContext> components) {
        InMemoryLocker locker = new InMemoryLocker();
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        AopConfigUtils.registerAutoProxyCreatorIfNecessary(context);
        if (proxyClasses) {
            AopConfigUtils.forceAutoProxyCreatorToUseClassProxying(context);
        }
        context.registerBean("locker", InMemoryLocker.class, () -> locker);
        context.registerBean(
                DistributedLockAspect.class,
                () -> new DistributedLockAspect(
                        () -> locker,
                        context.getBeanFactory(),
                        DistributedLockAspect.OUTSIDE_TRANSACTIONS,
                        () -> WorkTracing.OFF,
                        Optional.empty()),
                definition -> definition.setRole(2));
        context.registerBean(
                TransactionListenerInstaller.class,
                () -> new TransactionListenerInstaller(
                        () -> new LeaseCheck(context.getBean(DistributedLockAspect.class)), context.getBeanFactory()));
        context.registerBean(
                UnadvisedBeans.class,
                () -> new UnadvisedBeans(
                        context.getDefaultListableBeanFactory(),
                        () -> Optional.of(context.getBean(DistributedLockAspect.class)),
                        () -> failing));
        components.accept(context);
        context.refresh();
        return new AspectContext(locker, context);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
