package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import reactor.core.CorePublisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A call that returns a reactive type: one of Reactor, or one that Spring can adapt (RxJava, {@code Flow} of Kotlin, {@code
 * Flow.Publisher}). Each subscription takes the lock, runs the method, and releases the lock. Nested subscriptions find the
 * lock in Reactor's context or on the subscribing thread, and share it.
 */
final class ReactiveCall {

    private final LockOperation operation;
    private final String lockId;
    private final RemoteLocker locker;
    private final ThreadLocks threadLocks;
    private final WorkTracing tracing;

    ReactiveCall(
            LockOperation operation, String lockId, RemoteLocker locker, ThreadLocks threadLocks, WorkTracing tracing) {
        this.operation = operation;
        this.lockId = lockId;
        this.locker = locker;
        this.threadLocks = threadLocks;
        this.tracing = tracing;
    }

    /** The key under which Reactor's context carries a hold. */
    private record ContextKey(ThreadLocks aspect, String lockId) {}

    /** Calls the method once for each subscription. */
    Object run(ReactiveAdapter adapter, MethodInvocation invocation) {
        return adapter.fromPublisher(underLock(adapter, hold -> sharing(hold, traced(hold, invocation), adapter)));
    }

    private Object traced(Hold hold, MethodInvocation invocation) {
        try (WorkTracing.Scope scope = tracing.open(observation(hold))) {
            return proceed(invocation);
        }
    }

    private Context under(Hold hold, Context work) {
        Object observation = observation(hold);
        return observation == null ? work : work.put(WorkTracing.CONTEXT_KEY, observation);
    }

    /** Null for calls that share the lock of an outer one: they are part of its work already. */
    private @Nullable Object observation(Hold hold) {
        return hold.isShared() ? null : tracing.hold(hold.lock());
    }

    /** Puts the result that the method has returned already under the lock, once for each subscription. */
    Object of(ReactiveAdapter adapter, Object result) {
        return adapter.fromPublisher(underLock(adapter, hold -> sharing(hold, result, adapter)));
    }

    private Publisher<?> underLock(ReactiveAdapter adapter, Function<Hold, Publisher<?>> work) {
        ContextKey key = new ContextKey(threadLocks, lockId);
        if (!adapter.isMultiValue()) {
            return Mono.deferContextual(context -> Mono.usingWhen(
                    hold(context, key),
                    hold -> Mono.from(work.apply(hold))
                            .doOnSuccess(value -> hold.lock().ensureHeld())
                            .contextWrite(inner -> under(hold, inner.put(key, hold))),
                    ReactiveCall::leave));
        }
        return Flux.deferContextual(context -> Flux.usingWhen(
                hold(context, key),
                hold -> Flux.from(work.apply(hold))
                        .doOnComplete(() -> hold.lock().ensureHeld())
                        .contextWrite(inner -> under(hold, inner.put(key, hold))),
                ReactiveCall::leave));
    }

    /**
     * Nested calls find the hold in Reactor's context. Other libraries do not pass that context on: their nested calls find the
     * hold on the subscribing thread, during the subscription.
     */
    private Publisher<?> sharing(Hold hold, Object result, ReactiveAdapter adapter) {
        if (result instanceof CorePublisher<?> core) {
            return core;
        }
        Publisher<?> work = adapter.toPublisher(result);
        return (Publisher<Object>) subscriber -> onThisThread(subscriber, work, hold);
    }

    @SuppressWarnings("unchecked") // a publisher of anything is one of objects
    private void onThisThread(Subscriber<? super Object> subscriber, Publisher<?> work, Hold hold) {
        boolean first = threadLocks.get(lockId) == null;
        if (first) {
            threadLocks.add(hold);
        }
        try {
            ((Publisher<Object>) work).subscribe(subscriber);
        } finally {
            if (first) {
                threadLocks.remove(hold);
            }
        }
    }

    /** Uses a copy of the invocation, because each subscription calls the method again. */
    private static Object proceed(MethodInvocation invocation) {
        try {
            Object result =
                    ((ProxyMethodInvocation) invocation).invocableClone().proceed();
            return result == null ? Mono.empty() : result;
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }

    private static Mono<Void> leave(Hold hold) {
        return Mono.fromCompletionStage(hold::leaveAsync);
    }

    /**
     * The hold of an outer call (a subscription, or a method on this thread), else a new one. If the lock is granted after the
     * subscriber has cancelled, it is released.
     */
    private Mono<Hold> hold(ContextView context, ContextKey key) {
        Optional<Hold> outer = context.<Hold>getOrEmpty(key).or(() -> Optional.ofNullable(threadLocks.get(lockId)));
        if (outer.isPresent()) {
            return Mono.fromSupplier(() -> {
                outer.get().lock().ensureHeld();
                return outer.get().share();
            });
        }
        Mono<RemoteLock> lock = operation.strategy() == Strategy.TRY_GET_LOCK ? soft(context) : mandatory(context);
        return lock.map(Hold::new)
                .doOnDiscard(RemoteLock.class, RemoteLock::closeAsync)
                .doOnDiscard(Hold.class, Hold::leaveAsync);
    }

    private Mono<RemoteLock> mandatory(ContextView context) {
        Duration timeout = operation.timeout();
        LockRequest request = operation.request(lockId);
        return ask(
                context, () -> timeout == null ? locker.getLockAsync(request) : locker.getLockAsync(request, timeout));
    }

    private Mono<RemoteLock> soft(ContextView context) {
        LockRequest request = operation.request(lockId);
        Mono<RemoteLock> lock =
                ask(context, () -> locker.tryGetLockAsync(request)).flatMap(Mono::justOrEmpty);
        return operation.whenBusy() == WhenBusy.THROW
                ? lock.switchIfEmpty(Mono.error(() -> RefusedCall.exception(operation, lockId)))
                : lock;
    }

    /** Reactor's context says what the call belongs to: the subscribing thread may have come from anywhere. */
    private <T> Mono<T> ask(ContextView context, Supplier<CompletableFuture<T>> call) {
        return Mono.fromFuture(() -> {
            try (WorkTracing.Scope scope = tracing.open(context.getOrDefault(WorkTracing.CONTEXT_KEY, null))) {
                return LockerAnswers.required(call.get(), lockId);
            }
        });
    }
}
