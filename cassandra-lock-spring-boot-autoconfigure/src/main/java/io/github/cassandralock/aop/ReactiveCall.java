package io.github.cassandralock.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * A call that returns a {@code Mono}, a {@code Flux} or a plain {@code Publisher}: each subscription takes the lock, runs
 * the method, and releases. Subscriptions inside it find the lock in Reactor's context and share it.
 */
final class ReactiveCall {

    private final LockOperation operation;
    private final String lockId;
    private final RemoteLocker locker;
    private final HeldLocks heldLocks;

    ReactiveCall(LockOperation operation, String lockId, RemoteLocker locker, HeldLocks heldLocks) {
        this.operation = operation;
        this.lockId = lockId;
        this.locker = locker;
        this.heldLocks = heldLocks;
    }

    /** The key under which Reactor's context carries a hold. */
    private record ContextKey(HeldLocks aspect, String lockId) {}

    static boolean returns(Class<?> type) {
        return type == Mono.class || (Publisher.class.isAssignableFrom(type) && type.isAssignableFrom(Flux.class));
    }

    Publisher<?> run(MethodInvocation invocation) {
        ContextKey key = new ContextKey(heldLocks, lockId);
        if (invocation.getMethod().getReturnType() == Mono.class) {
            return Mono.deferContextual(context -> Mono.usingWhen(
                    hold(context, key),
                    hold -> Mono.from(proceed(invocation))
                            .doOnSuccess(value -> hold.lock().ensureHeld())
                            .contextWrite(inner -> inner.put(key, hold)),
                    ReactiveCall::leave));
        }
        return Flux.deferContextual(context -> Flux.usingWhen(
                hold(context, key),
                hold -> Flux.from(proceed(invocation))
                        .doOnComplete(() -> hold.lock().ensureHeld())
                        .contextWrite(inner -> inner.put(key, hold)),
                ReactiveCall::leave));
    }

    /** On a copy, since each subscription calls the method anew. */
    private static Publisher<?> proceed(MethodInvocation invocation) {
        try {
            Object result =
                    ((ProxyMethodInvocation) invocation).invocableClone().proceed();
            return result instanceof Publisher<?> publisher ? publisher : Mono.empty();
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }

    private static Mono<Void> leave(Hold hold) {
        return Mono.fromCompletionStage(hold::leaveAsync);
    }

    /**
     * The hold of an outer call, be it a subscription or a method on this thread; else one of its own. One that is granted
     * to a subscriber which has just gone is discarded, that is, released.
     */
    private Mono<Hold> hold(ContextView context, ContextKey key) {
        Optional<Hold> outer = context.<Hold>getOrEmpty(key).or(() -> Optional.ofNullable(heldLocks.get(lockId)));
        if (outer.isPresent()) {
            return Mono.fromSupplier(() -> {
                outer.get().lock().ensureHeld();
                return outer.get().share();
            });
        }
        Mono<RemoteLock> lock = operation.strategy() == Strategy.TRY_GET_LOCK ? soft() : mandatory();
        return lock.map(Hold::new)
                .doOnDiscard(RemoteLock.class, RemoteLock::closeAsync)
                .doOnDiscard(Hold.class, Hold::leaveAsync);
    }

    private Mono<RemoteLock> mandatory() {
        Mono<RemoteLock> lock = Mono.fromFuture(() -> locker.getLockAsync(lockId));
        Duration timeout = operation.timeout();
        return timeout == null
                ? lock
                : lock.timeout(timeout, Mono.error(() -> OwnerlessLock.timedOut(lockId, timeout)));
    }

    private Mono<RemoteLock> soft() {
        Mono<RemoteLock> lock =
                Mono.fromFuture(() -> locker.tryGetLockAsync(lockId)).flatMap(Mono::justOrEmpty);
        return operation.whenBusy() == WhenBusy.THROW
                ? lock.switchIfEmpty(Mono.error(() -> RefusedCall.exception(operation, lockId)))
                : lock;
    }
}
