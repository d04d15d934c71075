package io.github.cassandralock.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.LockLostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** One call that runs under a lock, and leaves it when it, or the stage that it returns, has ended. */
final class LockedCall {

    private final LockOperation operation;
    private final Hold hold;

    LockedCall(LockOperation operation, Hold hold) {
        this.operation = operation;
        this.hold = hold;
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
            return result;
        } finally {
            hold.leave();
        }
    }

    /** The method's own failure tells more than the loss that came with it. */
    private @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            LockLostException loss = loss();
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
            LockLostException loss = loss();
            if (loss == null || loss == failure) {
                throw failure;
            }
            loss.addSuppressed(failure);
            throw loss;
        } finally {
            interrupt.end();
        }
    }

    private @Nullable LockLostException loss() {
        try {
            hold.lock().ensureHeld();
            return null;
        } catch (LockLostException e) {
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
