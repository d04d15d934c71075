package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.OnLost;
import io.github.cassandralock.LockLostException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.BaseStream;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;

/**
 * One call under its locks. It releases them when the call, or the stage that it returns, has ended.
 *
 * @param period for which the method runs
 * @param returnType of the method of the target, which may be narrower than the type of an interface
 * @param reactive wraps a publisher that the method returned, so that each subscription acquires the lock
 */
record LockedCall(
        LockOperation operation,
        Holds holds,
        OncePeriod period,
        ThreadLocks threadLocks,
        WorkTracing tracing,
        Class<?> returnType,
        BiFunction<ReactiveAdapter, Object, Object> reactive) {

    /** Whether a method of this type returns a stage, so that its work may go on after the call. */
    static boolean outlivesTheCall(Class<?> returnType) {
        return CompletionStage.class.isAssignableFrom(returnType);
    }

    @Nullable
    Object run(MethodInvocation invocation) throws Throwable {
        if (!isDue()) {
            operation.skip(holds, period);
            return ResultTypes.ofSkipped(returnType);
        }
        Object result;
        try (WorkTracing.Scope trace = tracing.open(holds.observation(tracing));
                WorkTracing.Scope running = threadLocks.enter(holds)) {
            result = proceed(invocation);
        } catch (Throwable failure) {
            holds.leave();
            throw failure;
        }
        if (result instanceof CompletionStage<?> stage && (outlivesTheCall(returnType) || !holds.areNodes())) {
            return untilCompletion(stage);
        }
        try {
            holds.ensureHeld();
            Object finished = result == null ? null : finished(result);
            if (finished == result) {
                period.complete(holds.onlyLock());
            }
            return finished;
        } finally {
            holds.leave();
        }
    }

    /** Releases the locks if the method is not to run. */
    private boolean isDue() {
        boolean due = false;
        try {
            due = period.begin(holds.onlyLock());
        } finally {
            if (!due) {
                holds.leave();
            }
        }
        return due;
    }

    /** A method declared to return Object may return a value whose work has not ended. */
    private Object finished(Object result) {
        if (!(result instanceof CompletionStage) && !ResultTypes.isLazy(result)) {
            return result;
        }
        Optional<ReactiveAdapter> adapter = ResultTypes.adapterOf(result);
        if (adapter.isPresent()) {
            Object locked = reactive.apply(adapter.get(), result);
            if (returnType.isInstance(locked)) {
                return locked;
            }
        }
        discard(result);
        throw new IllegalStateException(operation.methodName() + " ran under " + holds.names() + " and returned a "
                + result.getClass().getName()
                + ", whose work would run without the lock, so the result was discarded; return the finished result, or"
                + " declare the method to return a CompletableFuture, a Mono or a Flux");
    }

    private static void discard(Object result) {
        if (result instanceof Future<?> future) {
            future.cancel(true);
        } else if (result instanceof BaseStream<?, ?> stream) {
            stream.close();
        }
    }

    /**
     * Throws the method's own exception, with the loss of a lock suppressed. With an interrupt, throws the loss, because the
     * interrupt most likely caused that exception.
     */
    private @Nullable Object proceed(MethodInvocation invocation) throws Throwable {
        WorkerInterrupt interrupt = operation.onLost() == OnLost.INTERRUPT ? WorkerInterrupt.whenLost(holds) : null;
        try {
            return invocation.proceed();
        } catch (Throwable failure) {
            RuntimeException loss = loss();
            if (loss == null || loss == failure) {
                throw failure;
            }
            Throwable thrown = interrupt == null ? failure : loss;
            thrown.addSuppressed(interrupt == null ? loss : failure);
            throw thrown;
        } finally {
            if (interrupt != null) {
                interrupt.end();
            }
        }
    }

    /** Why a lock is no longer held (lost, or the locker closed), or null if all are held. */
    private @Nullable RuntimeException loss() {
        try {
            holds.ensureHeld();
            return null;
        } catch (LockLostException | IllegalStateException e) {
            return e;
        }
    }

    /**
     * Returns a stage that fails if a lock is lost. Its cancellation is not forwarded to the method's stage. A cancelled stage counts
     * as complete although its work may go on.
     */
    private <T> CompletionStage<?> untilCompletion(CompletionStage<T> stage) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            Throwable problem = failure != null ? failure : loss();
            if (problem == null) {
                recorded().whenComplete((done, notRecorded) -> end(answer, value, notRecorded));
            } else {
                end(answer, value, problem);
            }
        });
        return returnType.isInstance(answer) ? answer : stage;
    }

    private CompletableFuture<Void> recorded() {
        try {
            return period.completeAsync(holds.onlyLock());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> void end(CompletableFuture<T> answer, T value, @Nullable Throwable problem) {
        holds.leaveAsync();
        if (problem == null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(problem);
        }
    }
}
