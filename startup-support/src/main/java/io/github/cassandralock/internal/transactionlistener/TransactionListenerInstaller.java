package io.github.cassandralock.internal.transactionlistener;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanNameAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds one listener to every transaction manager of the application. This also covers parent contexts, and child contexts without a
 * bean of this name. Their transaction managers may be lazy, and declared as any type.
 */
public final class TransactionListenerInstaller
        implements BeanPostProcessor,
                BeanNameAware,
                SmartInitializingSingleton,
                ApplicationListener<ContextRefreshedEvent>,
                AutoCloseable {

    /** Several contexts, or several of these beans, may change the listeners of one transaction manager at the same time. */
    private static final Lock CHANGES = new ReentrantLock();

    private final Supplier<? extends TransactionExecutionListener> listener;
    private final ConfigurableListableBeanFactory beans;

    private String name = "";

    /**
     * @param listener called once, for the first transaction manager
     * @param beans has the transaction managers
     */
    public TransactionListenerInstaller(
            Supplier<? extends TransactionExecutionListener> listener, ConfigurableListableBeanFactory beans) {
        this.listener = SingletonSupplier.of(listener::get);
        this.beans = beans;
    }

    @Override
    public void setBeanName(String beanName) {
        name = beanName;
    }

    /** Called for beans of this context, and of other contexts that create them later. */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ConfigurableTransactionManager transactionManager) {
            add(transactionManager);
        }
        return bean;
    }

    /**
     * Adds the listener to transaction managers of parents, before any bean of this context begins to work. Other post-processors may
     * have needed a transaction manager of this context before this bean existed.
     */
    @Override
    public void afterSingletonsInstantiated() {
        forEachPresent(beans, this::add);
        parents().forEach(this::watch);
    }

    /** Adds the listener to transaction managers of a child. A context publishes its events to its parents. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent event) {
        ApplicationContext context = event.getApplicationContext();
        if (!context.containsLocalBean(name)
                && context.getAutowireCapableBeanFactory() instanceof DefaultListableBeanFactory child) {
            watch(child);
        }
    }

    private void watch(DefaultListableBeanFactory other) {
        other.addBeanPostProcessor(this);
        forEachPresent(other, this::add);
    }

    /** Parents may outlive any number of children. */
    @Override
    public void close() {
        parents().forEach(parent -> {
            parent.getBeanPostProcessors().remove(this);
            forEachPresent(parent, this::remove);
        });
    }

    private List<DefaultListableBeanFactory> parents() {
        List<DefaultListableBeanFactory> parents = new ArrayList<>();
        BeanFactory parent = beans.getParentBeanFactory();
        while (parent instanceof DefaultListableBeanFactory known) {
            parents.add(known);
            parent = known.getParentBeanFactory();
        }
        return parents;
    }

    /** Creates none: the others are not in use. */
    private static void forEachPresent(
            ConfigurableListableBeanFactory factory, Consumer<ConfigurableTransactionManager> action) {
        Stream.of(factory.getBeanNamesForType(ConfigurableTransactionManager.class, false, false))
                .filter(factory::containsSingleton)
                .map(name -> factory.getBean(name, ConfigurableTransactionManager.class))
                .forEach(action);
    }

    private void add(ConfigurableTransactionManager transactionManager) {
        TransactionExecutionListener own = listener.get();
        change(transactionManager, listeners -> {
            if (!listeners.contains(own)) {
                listeners.add(own);
            }
        });
    }

    private void remove(ConfigurableTransactionManager transactionManager) {
        TransactionExecutionListener own = listener.get();
        change(transactionManager, listeners -> listeners.remove(own));
    }

    /** Replaces the collection: transactions of other contexts may read it now. */
    private static void change(
            ConfigurableTransactionManager transactionManager, Consumer<List<TransactionExecutionListener>> change) {
        CHANGES.lock();
        try {
            List<TransactionExecutionListener> listeners =
                    new ArrayList<>(transactionManager.getTransactionExecutionListeners());
            change.accept(listeners);
            transactionManager.setTransactionExecutionListeners(listeners);
        } finally {
            CHANGES.unlock();
        }
    }
}
