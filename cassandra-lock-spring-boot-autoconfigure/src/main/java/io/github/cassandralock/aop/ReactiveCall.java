package io.github.cassandralock.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.RemoteLocker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A call that returns a {@code Mono} or {@code Flux}: each subscription takes the lock, runs the method, and releases. */
final class ReactiveCall {

    private final LockOperation operation;
    private final String lockId;
    private final RemoteLocker locker;

    ReactiveCall(LockOperation operation, String lockId, RemoteLocker locker) {
        this.operation = operation;
        this.lockId = lockId;
        this.locker = locker;
    }

    static boolean returns(Class<?> type) {
        return type == Mono.class || type == Flux.class;
    }

    Publisher<?> run(MethodInvocation invocation) {
        if (invocation.getMethod().getReturnType() == Mono.class) {
            return Mono.usingWhen(
                    lock(),
                    lock -> Mono.from(proceed(invocation)).doOnSuccess(value -> lock.ensureHeld()),
                    ReactiveCall::release);
        }
        return Flux.usingWhen(
                lock(), lock -> Flux.from(proceed(invocation)).doOnComplete(lock::ensureHeld), ReactiveCall::release);
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

    private static Mono<Void> release(RemoteLock lock) {
        return Mono.fromCompletionStage(lock::closeAsync);
    }

    /** A lock that is granted to a subscriber which has just gone is discarded, that is, released. */
    private Mono<RemoteLock> lock() {
        Mono<RemoteLock> lock = operation.strategy() == Strategy.TRY_GET_LOCK ? soft() : mandatory();
        return lock.doOnDiscard(RemoteLock.class, RemoteLock::closeAsync);
    }

    private Mono<RemoteLock> mandatory() {
        Mono<RemoteLock> lock = Mono.fromFuture(() -> locker.getLockAsync(lockId));
        Duration timeout = operation.timeout();
        return timeout == null
                ? lock
                : lock.timeout(timeout, Mono.error(() -> OwnerlessLock.timedOut(lockId, timeout)));
    }

    private Mono<RemoteLock> soft() {
        Mono<RemoteLock> lock = Mono.fromFuture(this::tryOnAThreadThatMayBlock);
        return operation.whenBusy() == WhenBusy.THROW
                ? lock.switchIfEmpty(Mono.error(() -> RefusedCall.exception(operation, lockId)))
                : lock;
    }

    private CompletableFuture<RemoteLock> tryOnAThreadThatMayBlock() {
        CompletableFuture<RemoteLock> future = new CompletableFuture<>();
        Schedulers.boundedElastic().schedule(() -> {
            try {
                Optional<RemoteLock> lock = locker.tryGetLock(lockId);
                if (!future.complete(lock.orElse(null))) {
                    lock.ifPresent(RemoteLock::closeAsync);
                }
            } catch (RuntimeException e) {
                future.completeExceptionally(e);
            }
        });
        return future;
    }
}
