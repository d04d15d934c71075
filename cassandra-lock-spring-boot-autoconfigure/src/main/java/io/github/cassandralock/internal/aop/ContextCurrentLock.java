package io.github.cassandralock.internal.aop;

import io.github.cassandralock.HeldLock;
import io.github.cassandralock.reactor.ReactiveCurrentLock;
import reactor.core.publisher.Mono;

/** Finds the lock of the running method in Reactor's context. */
record ContextCurrentLock(ThreadLocks threadLocks) implements ReactiveCurrentLock {

    @Override
    public Mono<HeldLock> get() {
        return Mono.deferContextual(context -> Mono.just(new ContextLocks(context, threadLocks).get()));
    }

    @Override
    public Mono<HeldLock> get(String lockId) {
        return Mono.deferContextual(context -> Mono.just(new ContextLocks(context, threadLocks).get(lockId)));
    }
}
