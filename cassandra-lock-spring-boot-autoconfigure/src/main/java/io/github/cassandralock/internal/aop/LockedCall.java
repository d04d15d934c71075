package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.LockLostException;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.BaseStream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;

/** One call that runs under a lock, and leaves it when it, or the stage that it returns, has ended. */
final class LockedCall {

    private final LockOperation operation;
    private final Hold hold;
    private final BiFunction<ReactiveAdapter, Object, Object> reactive;

    /** @param reactive puts a publisher that the method returned under the lock: each subscription takes it anew */
    LockedCall(LockOperation operation, Hold hold, BiFunction<ReactiveAdapter, Object, Object> reactive) {
        this.operation = operation;
        this.hold = hold;
        this.reactive = reactive;
    }

    @Nullable
    Object run(MethodInvocation invocation) throws Throwable {
        Object result;
        try {
            result = operation.onLost() == OnLost.INTERRUPT ? interruptible(invocation) : proceed(invocation);
        } catch (Throwable failure) {
            hold.leave();
            throw failure;
        }
        if (result instanceof CompletionStage<?> stage) {
            return untilCompletion(stage, invocation.getMethod().getReturnType());
        }
        try {
            hold.lock().ensureHeld();
            return result == null ? null : finished(result, invocation.getMethod());
        } finally {
            hold.leave();
        }
    }

    /** A method that is declared to return an object may return work that has only begun. */
    private Object finished(Object result, Method method) {
        if (!ResultTypes.isLazy(result)) {
            return result;
        }
        Optional<ReactiveAdapter> adapter = ResultTypes.adapterOf(result);
        if (adapter.isPresent()) {
            Object locked = reactive.apply(adapter.get(), result);
            if (method.getReturnType().isInstance(locked)) {
                return locked;
            }
        }
        discard(result);
        throw new IllegalStateException(
                operation.methodName() + " ran under lock '" + hold.lock().getLockId()
                        + "' and returned a " + result.getClass().getName()
                        + ", whose work would run without the lock, so the result was discarded; return the finished result, a"
                        + " CompletableFuture, or a Mono or Flux");
    }

    private static void discard(Object result) {
        if (result instanceof Future<?> future) {
            future.cancel(true);
        } else if (result instanceof BaseStream<?, ?> stream) {
            stream.close();
        }
    }

    /** The method's own failure tells more than the loss that came with it. */
    private @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            RuntimeException loss = loss();
            if (loss != null && loss != failure) {
                failure.addSuppressed(loss);
            }
            throw failure;
        }
    }

    /** Here the failure is most likely the interrupt's: the loss explains it. */
    private @Nullable Object interruptible(MethodInvocation invocation) throws Throwable {
        WorkerInterrupt interrupt = WorkerInterrupt.whenLost(hold.lock());
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            RuntimeException loss = loss();
            if (loss == null || loss == failure) {
                throw failure;
            }
            loss.addSuppressed(failure);
            throw loss;
        } finally {
            interrupt.end();
        }
    }

    /** Why the lock is not held any more: it was lost, or the locker was closed. */
    private @Nullable RuntimeException loss() {
        try {
            hold.lock().ensureHeld();
            return null;
        } catch (LockLostException | IllegalStateException e) {
            return e;
        }
    }

    /** The caller gets a stage that fails if the lock is lost, and passes its cancellation on to the method's own. */
    private <T> CompletionStage<?> untilCompletion(CompletionStage<T> stage, Class<?> returnType) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            Throwable problem = failure != null ? failure : loss();
            hold.leaveAsync();
            if (problem == null) {
                answer.complete(value);
            } else {
                answer.completeExceptionally(problem);
            }
        });
        answer.whenComplete((value, failure) -> {
            if (answer.isCancelled() && stage instanceof Future<?> cancellable) {
                cancellable.cancel(true);
            }
        });
        return returnType.isInstance(answer) ? answer : stage;
    }
}
