package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapter;

/** Runs a call under its lock: evaluates the key, takes the lock or shares that of an outer call, runs, releases. */
final class LockInterceptor implements MethodInterceptor {

    private final LockOperations operations;
    private final Supplier<RemoteLocker> locker;
    private final ThreadLocks threadLocks;
    private final Supplier<WorkTracing> tracing;

    LockInterceptor(
            LockOperations operations,
            Supplier<RemoteLocker> locker,
            ThreadLocks threadLocks,
            Supplier<WorkTracing> tracing) {
        this.operations = operations;
        this.locker = locker;
        this.threadLocks = threadLocks;
        this.tracing = tracing;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Method method = invocation.getMethod();
        Class<?> targetClass = target == null ? method.getDeclaringClass() : AopUtils.getTargetClass(target);
        LockOperation operation = operation(method, target, targetClass);
        Method specific = LockOperations.specific(method, targetClass);
        LockKeyRoot root = new LockKeyRoot(target, targetClass, specific, invocation.getArguments());
        String lockId = operation.key().evaluate(root, specific, invocation.getArguments());
        Optional<ReactiveAdapter> adapter = ResultTypes.adapter(specific.getReturnType());
        return adapter.isPresent()
                ? reactive(operation, lockId).run(adapter.get(), invocation)
                : underLock(operation, lockId, specific.getReturnType(), invocation);
    }

    /**
     * Finds the operation for the innermost target, or else for the target itself: a repository is a proxy with an annotated
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
            LockOperation operation, String lockId, Class<?> returnType, MethodInvocation invocation) throws Throwable {
        Hold outer = threadLocks.get(lockId);
        if (outer != null) {
            outer.lock().ensureHeld();
            return lockedCall(operation, lockId, outer.share(), WorkTracing.OFF).run(invocation);
        }
        WorkTracing traced = tracing.get();
        Optional<RemoteLock> lock = take(operation, lockId, CompletionStage.class.isAssignableFrom(returnType));
        if (lock.isEmpty()) {
            return RefusedCall.answer(operation, lockId, returnType);
        }
        Hold hold = new Hold(lock.get());
        threadLocks.add(hold);
        boolean untilTransactionEnds = TransactionBoundHold.ifTransactionIsActive(hold, threadLocks);
        try {
            return lockedCall(operation, lockId, hold, traced).run(invocation);
        } finally {
            if (!untilTransactionEnds) {
                threadLocks.remove(hold);
            }
        }
    }

    /** @param traced for the call that took the lock; calls that share it are part of its work already */
    private LockedCall lockedCall(LockOperation operation, String lockId, Hold hold, WorkTracing traced) {
        return new LockedCall(
                operation,
                hold,
                traced,
                (adapter, result) -> reactive(operation, lockId).of(adapter, result));
    }

    private ReactiveCall reactive(LockOperation operation, String lockId) {
        return new ReactiveCall(operation, lockId, locker.get(), threadLocks, tracing.get());
    }

    private Optional<RemoteLock> take(LockOperation operation, String lockId, boolean outlivesTheCall) {
        LockRequest request = operation.request(lockId);
        Duration timeout = operation.timeout();
        if (outlivesTheCall) {
            return new StageLock(locker.get(), request, timeout).take(operation.strategy());
        }
        if (operation.strategy() == Strategy.TRY_GET_LOCK) {
            return locker.get().tryGetLock(request);
        }
        RemoteLock lock =
                timeout == null ? locker.get().getLock(request) : locker.get().getLock(request, timeout);
        return Optional.of(LockerAnswers.required(lock, lockId));
    }
}
