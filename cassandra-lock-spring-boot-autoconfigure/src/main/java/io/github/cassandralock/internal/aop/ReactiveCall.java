package io.github.cassandralock.internal.aop;

import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import reactor.core.CorePublisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A call that returns a reactive type of Reactor, or one that Spring can adapt (RxJava, {@code Flow} of Kotlin, {@code
 * Flow.Publisher}). Each subscription acquires the locks, runs the method, and releases the locks. The work, and what follows
 * it, continues on a scheduler of its own. Nested subscriptions find locks in Reactor's context or on the subscribing
 * thread, and share them.
 */
record ReactiveCall(
        LockOperation operation,
        MultiLockRequest names,
        Supplier<OncePeriod> periods,
        RemoteLocker locker,
        ThreadLocks threadLocks,
        WorkTracing tracing,
        Scheduler scheduler) {

    /**
     * Calls the method once for each subscription.
     *
     * @param suspending whether it is a suspend function
     */
    Object run(ReactiveAdapter adapter, MethodInvocation invocation, boolean suspending) {
        Supplier<WorkEnd> ends =
                suspending ? () -> SuspendedCall.of(invocation.getArguments()) : () -> WorkEnd.WITH_THE_SUBSCRIPTION;
        return adapter.fromPublisher(
                underLock(adapter, ends, (holds, end) -> sharing(holds, called(holds, invocation, end), adapter)));
    }

    private Object called(Holds holds, MethodInvocation invocation, WorkEnd end) {
        try (WorkTracing.Scope trace = tracing.open(holds.observation(tracing));
                WorkTracing.Scope running = onThisThread(holds)) {
            return proceed(invocation, end);
        }
    }

    private Context under(Holds holds, Context work) {
        Context found = ContextLocks.under(holds, threadLocks, work);
        Object observation = holds.observation(tracing);
        return observation == null ? found : found.put(WorkTracing.CONTEXT_KEY, observation);
    }

    /** Runs the method's result under the lock, once for each subscription. */
    Object of(ReactiveAdapter adapter, Object result) {
        return adapter.fromPublisher(underLock(
                adapter, () -> WorkEnd.WITH_THE_SUBSCRIPTION, (holds, end) -> sharing(holds, result, adapter)));
    }

    private Publisher<?> underLock(
            ReactiveAdapter adapter, Supplier<WorkEnd> ends, BiFunction<Holds, WorkEnd, Publisher<?>> work) {
        return adapter.isMultiValue()
                ? Flux.deferContextual(context -> {
                    OncePeriod period = period(context);
                    WorkEnd end = ends.get();
                    return Flux.usingWhen(
                            holds(context),
                            holds -> once(period, holds, held -> work.apply(held, end)),
                            holds -> leaveAfter(end, holds));
                })
                : Mono.deferContextual(context -> {
                    OncePeriod period = period(context);
                    WorkEnd end = ends.get();
                    return Mono.usingWhen(
                            holds(context),
                            holds -> once(period, holds, held -> Mono.from(work.apply(held, end)))
                                    .singleOrEmpty(),
                            holds -> leaveAfter(end, holds));
                });
    }

    /** Each subscription has a period of its own: Spring subscribes to one publisher again and again. */
    private OncePeriod period(ContextView context) {
        OncePeriod period = periods.get();
        if (period.isPresent() && isInTransaction(context)) {
            throw operation.recordedBeforeTheCommit();
        }
        return period;
    }

    /** Whether a reactive transaction, or a transaction of the subscribing thread, is around this call and has not ended. */
    private static boolean isInTransaction(ContextView context) {
        return context.<TransactionContext>getOrEmpty(TransactionContext.class)
                        .map(TransactionSynchronizationManager::new)
                        .filter(bound -> bound.isActualTransactionActive() && bound.isSynchronizationActive())
                        .isPresent()
                || TransactionBoundHolds.isInTransaction();
    }

    /**
     * The work, and the record of its period when it has completed. Empty if the period is completed already. The method is called
     * only if its period is due: its body may work before it returns a publisher.
     */
    private Flux<?> once(OncePeriod period, Holds holds, Function<Holds, Publisher<?>> work) {
        Flux<?> held = Flux.defer(() -> work.apply(holds))
                .doOnComplete(holds::ensureHeld)
                .contextWrite(inner -> under(holds, inner));
        if (!period.isPresent()) {
            return held;
        }
        return offCallbackThreads(Mono.fromFuture(() -> period.beginAsync(holds.onlyLock())))
                .flatMapMany(due -> {
                    if (!due) {
                        operation.skip(holds, period);
                        return Flux.empty();
                    }
                    return Flux.concat(
                            held,
                            offCallbackThreads(Mono.fromFuture(() -> period.completeAsync(holds.onlyLock()), true))
                                    .then(Mono.empty()));
                });
    }

    /**
     * Nested calls find holds in Reactor's context. Other libraries do not forward that context, so their nested calls find holds
     * on the subscribing thread, during the subscription.
     */
    private Publisher<?> sharing(Holds holds, Object result, ReactiveAdapter adapter) {
        if (result instanceof CorePublisher<?> core) {
            return core;
        }
        Publisher<?> work = adapter.toPublisher(result);
        return (Publisher<Object>) subscriber -> subscribe(subscriber, work, holds);
    }

    @SuppressWarnings("unchecked") // a publisher of anything is a publisher of objects
    private void subscribe(Subscriber<? super Object> subscriber, Publisher<?> work, Holds holds) {
        try (WorkTracing.Scope running = onThisThread(holds)) {
            ((Publisher<Object>) work).subscribe(subscriber);
        }
    }

    /** Calls on this thread share the locks until the scope is closed. */
    private WorkTracing.Scope onThisThread(Holds holds) {
        List<Hold> added = holds.all().stream()
                .filter(hold -> threadLocks.find(hold.key()) == null)
                .toList();
        added.forEach(threadLocks::add);
        WorkTracing.Scope running = threadLocks.enter(holds);
        return () -> {
            running.close();
            added.forEach(threadLocks::remove);
        };
    }

    /** Uses a copy of the invocation, because each subscription calls the method again. */
    private static Object proceed(MethodInvocation invocation, WorkEnd end) {
        try {
            Object result = ((ProxyMethodInvocation) invocation)
                    .invocableClone(end.arguments(invocation.getArguments()))
                    .proceed();
            return result == null ? Mono.empty() : result;
        } catch (Throwable failure) {
            return Mono.error(failure);
        }
    }

    /**
     * Shared locks are left at once if the work has ended, and then the thread stays the same. Parts of the work may run even after
     * its result: it may have given them up.
     */
    private Mono<Void> leaveAfter(WorkEnd end, Holds holds) {
        return Mono.defer(() -> {
            CompletableFuture<Void> left = end.ended().thenCompose(ended -> holds.leaveAsync());
            return left.isDone() ? Mono.empty() : offCallbackThreads(Mono.fromFuture(left, true));
        });
    }

    /**
     * Continues where code may block. Answers of the locker arrive on its few callback threads. If the work blocked these, no
     * other call would receive an answer.
     */
    private <T> Mono<T> offCallbackThreads(Mono<T> answer) {
        return answer.publishOn(scheduler);
    }

    /**
     * Returns the holds of outer calls (subscriptions, or methods on this thread), and new ones of the other locks. Locks that are
     * granted after a cancellation are released.
     *
     * @throws IllegalStateException if a transaction is around this call, and the call has to acquire locks. They would be released
     *     when the publisher ends, and the next holder would not see the data of that transaction
     */
    private Mono<Holds> holds(ContextView context) {
        OuterHolds holds = new ContextLocks(context, threadLocks);
        OuterHolds.Division division = holds.divide(names, locker);
        List<Hold> outer = division.shared();
        if (division.missing().isEmpty()) {
            return Mono.fromSupplier(() -> Holds.sharing(outer, operation));
        }
        LockCall<?> call = LockCall.of(locker, operation, division.missing().get());
        if (isInTransaction(context)) {
            throw operation.releasedBeforeTheCommit(call.lockIds());
        }
        holds.requireNoWaitFor(call, false);
        Mono<Holds> taken = taken(context, call);
        return outer.isEmpty() ? taken : besides(outer, taken);
    }

    /** Shares the outer locks before the others are acquired, so that they stay held. */
    private Mono<Holds> besides(List<Hold> outer, Mono<Holds> others) {
        return Mono.defer(() -> {
            Holds shared = Holds.sharing(outer, operation);
            AtomicBoolean passedOn = new AtomicBoolean();
            return others.<Holds>handle((holds, next) -> {
                        if (passedOn.compareAndSet(false, true)) {
                            next.next(new Holds(shared.shared(), holds.taken()));
                        } else {
                            holds.leaveAsync();
                        }
                    })
                    .doFinally(signal -> {
                        if (passedOn.compareAndSet(false, true)) {
                            shared.leaveAsync();
                        }
                    });
        });
    }

    private <G> Mono<Holds> taken(ContextView context, LockCall<G> call) {
        Mono<G> granted =
                operation.strategy() == Strategy.TRY_GET_LOCK ? tried(context, call) : ask(context, call::getAsync);
        return granted.map(locks -> new Holds(List.of(), call.holdsOfItsOwn(locks)));
    }

    private <G> Mono<G> tried(ContextView context, LockCall<G> call) {
        Mono<G> granted = ask(context, call::tryGetAsync).flatMap(Mono::justOrEmpty);
        return granted.switchIfEmpty(
                        operation.whenBusy() == WhenBusy.THROW
                                ? Mono.error(() -> operation.taken(call.lockIds()))
                                : Mono.fromRunnable(() -> operation.skip(call.lockIds())))
                .onErrorResume(
                        LockStoreException.class,
                        failure -> operation.isSkipped(failure)
                                ? Mono.fromRunnable(() -> operation.skip(failure))
                                : Mono.error(failure));
    }

    /** Reactor's context decides what the call belongs to, because the subscribing thread may be any thread. */
    private <T> Mono<T> ask(ContextView context, Supplier<CompletableFuture<T>> call) {
        return Mono.defer(() -> {
            try (WorkTracing.Scope scope = tracing.open(context.getOrDefault(WorkTracing.CONTEXT_KEY, null))) {
                return deliveredOrReleased(call.get());
            }
        });
    }

    /**
     * Releases what is granted to a subscription that is cancelled, or that no thread can run. Reactor drops a value that arrives
     * between the subscription and the first request if the subscription is cancelled there.
     */
    private <T> Mono<T> deliveredOrReleased(CompletableFuture<T> answer) {
        AtomicBoolean ended = new AtomicBoolean();
        Runnable release = () -> {
            if (ended.compareAndSet(false, true)) {
                answer.thenAccept(LockCall::release);
            }
        };
        return offCallbackThreads(Mono.fromFuture(answer))
                .<T>handle((granted, next) -> {
                    if (ended.compareAndSet(false, true)) {
                        next.next(granted);
                    }
                })
                .doOnError(failure -> release.run())
                .doOnCancel(release);
    }
}
