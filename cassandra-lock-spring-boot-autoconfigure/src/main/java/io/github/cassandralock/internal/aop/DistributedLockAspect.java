package io.github.cassandralock.internal.aop;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.reactor.ReactiveCurrentLock;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;

/**
 * Runs methods with {@link DistributedLock} under their locks. If an annotation is invalid, the creation of the bean fails.
 *
 * <p>In its default order, the advice runs inside security and {@code @Async}. It runs outside transactions, caching and aspects
 * without an order, whose advisors are last.
 */
public final class DistributedLockAspect extends AbstractPointcutAdvisor implements AutoCloseable {

    private static final long serialVersionUID = 1L;

    /** The default order. */
    public static final int OUTSIDE_TRANSACTIONS = Ordered.LOWEST_PRECEDENCE - 100;

    private final transient ThreadLocks threadLocks;
    private final transient PublisherThreads publisherThreads = new PublisherThreads();
    private final transient LockOperations operations;
    private final transient Pointcut pointcut;
    private final transient Advice advice;

    /**
     * @param locker supplies the locker of annotations that choose none, at the first call that needs it
     * @param beanFactory resolves beans and placeholders in keys, and has the lockers that annotations choose
     * @param order among the advisors of one bean: those with a lower order are outside
     * @param tracing makes the work under a lock visible in traces; supplied at each call
     * @param parent of the parent context. Nested calls of both contexts share their locks
     */
    public DistributedLockAspect(
            Supplier<RemoteLocker> locker,
            ConfigurableListableBeanFactory beanFactory,
            int order,
            Supplier<WorkTracing> tracing,
            Optional<DistributedLockAspect> parent) {
        this.threadLocks = parent.map(aspect -> aspect.threadLocks).orElseGet(ThreadLocks::new);
        ChosenLockers lockers = new ChosenLockers(locker, beanFactory);
        this.operations = new LockOperations(beanFactory, lockers);
        this.pointcut = new AnnotatedMethods(operations);
        this.advice = new LockInterceptor(operations, lockers, threadLocks, tracing, publisherThreads);
        setOrder(order);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    /** Finds the lock of the running method on each thread. */
    public CurrentLock currentLock() {
        return threadLocks;
    }

    /** Finds the lock of the running method in each subscription. Needs Reactor. */
    public ReactiveCurrentLock reactiveCurrentLock() {
        return new ContextCurrentLock(threadLocks);
    }

    /**
     * Checks the annotations of the beans that have been created so far.
     *
     * @param support of the algorithm of a locker; empty if it is unknown. Used only if an annotation has a mode or a period
     * @throws IllegalStateException if an annotation has a mode or a period that is not supported
     */
    public void requireSupport(Function<RemoteLocker, Optional<AlgorithmSupport>> support) {
        operations.requireSupport(support);
    }

    /**
     * Whether a bean has annotated methods whose calls this advice does not see.
     *
     * @throws IllegalStateException if an annotation is invalid
     */
    boolean isMissingFrom(Object bean) {
        return operations.areIn(AopProxyUtils.ultimateTargetClass(bean)) && !advises(bean);
    }

    private boolean advises(Object bean) {
        Object inner = bean;
        while (inner instanceof Advised proxy) {
            if (Arrays.stream(proxy.getAdvisors()).anyMatch(advisor -> advisor.getAdvice() == advice)) {
                return true;
            }
            inner = AopProxyUtils.getSingletonTarget(inner);
        }
        return false;
    }

    /** @throws io.github.cassandralock.LockLostException if a lock of this thread is lost */
    void ensureAllHeld() {
        threadLocks.ensureAllHeld();
    }

    /** Ends idle threads. Subscriptions that still run end as before. */
    @Override
    public void close() {
        publisherThreads.shutdown();
    }

    private static final class AnnotatedMethods extends StaticMethodMatcherPointcut {

        private final LockOperations operations;

        AnnotatedMethods(LockOperations operations) {
            this.operations = operations;
            ClassFilter candidates = operations::areIn;
            setClassFilter(candidates);
        }

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return operations.find(method, targetClass).isPresent();
        }
    }
}
