package io.github.cassandralock.internal.aop;

import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapter;

/** Runs a call under its locks: evaluates the key, acquires the locks, runs, releases. It shares the locks of outer calls. */
record LockInterceptor(
        LockOperations operations,
        ChosenLockers lockers,
        ThreadLocks threadLocks,
        Supplier<WorkTracing> tracing,
        PublisherThreads publisherThreads)
        implements MethodInterceptor {

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Method method = invocation.getMethod();
        Class<?> targetClass = target == null ? method.getDeclaringClass() : AopUtils.getTargetClass(target);
        LockOperation operation = operation(method, target, targetClass);
        Method specific = LockOperations.specific(method, targetClass);
        LockKeyRoot root = new LockKeyRoot(target, targetClass, specific, arguments(specific, invocation));
        MultiLockRequest names = operation.key().evaluate(root, specific, invocation.getArguments());
        Supplier<OncePeriod> period =
                () -> operation.onceFor().evaluate(root, specific, invocation.getArguments(), names);
        Optional<ReactiveAdapter> adapter = ResultTypes.adapter(specific);
        return adapter.isPresent()
                ? reactive(operation, names, period).run(adapter.get(), invocation, ResultTypes.isSuspending(specific))
                : underLock(operation, names, period, specific.getReturnType(), invocation);
    }

    /** The arguments that the method declares, without the continuation that Kotlin's compiler adds. */
    private static @Nullable Object[] arguments(Method method, MethodInvocation invocation) {
        @Nullable Object[] all = invocation.getArguments();
        return ResultTypes.isSuspending(method) ? Arrays.copyOf(all, all.length - 1) : all;
    }

    /**
     * Finds the operation for the innermost target, otherwise for the target itself. A repository is a proxy with an annotated
     * interface that its target does not implement. The pointcut has matched one of the two.
     */
    private LockOperation operation(Method method, @Nullable Object target, Class<?> targetClass) {
        return operations
                .find(method, targetClass)
                .or(() -> target == null ? Optional.empty() : operations.find(method, target.getClass()))
                .orElseThrow(() -> new IllegalStateException("The @DistributedLock of " + targetClass.getName() + "."
                        + method.getName()
                        + "(…) cannot be found at the call, so the method was not run; put the annotation on"
                        + " the method itself"));
    }

    private @Nullable Object underLock(
            LockOperation operation,
            MultiLockRequest names,
            Supplier<OncePeriod> periods,
            Class<?> returnType,
            MethodInvocation invocation)
            throws Throwable {
        WorkTracing traced = tracing.get();
        OncePeriod period = periods.get();
        if (period.isPresent() && TransactionBoundHolds.isInTransaction()) {
            throw operation.recordedBeforeTheCommit();
        }
        boolean outlivesTheCall = LockedCall.outlivesTheCall(returnType);
        RemoteLocker locker = lockers.get(operation);
        OuterHolds.Division division = threadLocks.divide(names, locker);
        Optional<LockCall<?>> call = division.missing().map(missing -> LockCall.of(locker, operation, missing));
        call.ifPresent(nested -> threadLocks.requireNoWaitFor(nested, !outlivesTheCall));
        Holds outer = Holds.sharing(division.shared(), operation);
        Optional<List<Hold>> taken;
        try {
            taken = call.isEmpty() ? Optional.of(List.of()) : call.get().take(outlivesTheCall);
        } catch (LockStoreException failure) {
            outer.leave();
            return operation.resultIfUnavailable(failure, returnType);
        } catch (Throwable failure) {
            outer.leave();
            throw failure;
        }
        if (taken.isEmpty()) {
            outer.leave();
            return operation.resultIfTaken(call.orElseThrow().lockIds(), returnType);
        }
        Holds holds = new Holds(outer.shared(), taken.get());
        LockedCall locked = new LockedCall(
                operation,
                holds,
                period,
                threadLocks,
                traced,
                returnType,
                (adapter, result) -> reactive(operation, names, periods).of(adapter, result));
        return run(locked, holds.taken(), invocation);
    }

    /** @param taken by this call, without the locks of outer calls, which stay with the thread */
    private @Nullable Object run(LockedCall call, List<Hold> taken, MethodInvocation invocation) throws Throwable {
        taken.forEach(threadLocks::add);
        boolean untilTransactionEnds =
                !taken.isEmpty() && TransactionBoundHolds.ifTransactionIsActive(taken, threadLocks);
        try {
            return call.run(invocation);
        } finally {
            if (!untilTransactionEnds) {
                taken.forEach(threadLocks::remove);
            }
        }
    }

    private ReactiveCall reactive(LockOperation operation, MultiLockRequest names, Supplier<OncePeriod> period) {
        return new ReactiveCall(
                operation,
                names,
                period,
                lockers.get(operation),
                threadLocks,
                tracing.get(),
                publisherThreads.scheduler());
    }
}
