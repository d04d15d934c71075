package io.github.cassandralock.reactor;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.HeldLock;
import reactor.core.publisher.Mono;

/**
 * Finds the lock of the running method with {@link io.github.cassandralock.DistributedLock} in Reactor's context, whichever thread
 * runs. With the annotation and Reactor there is a bean of this type. It is what {@link CurrentLock} is for threads. A coroutine
 * calls {@code reactiveCurrentLock.get().awaitSingle()}.
 *
 * <pre>{@code
 * @DistributedLock(key = "'publication'")
 * public Flux<Page> publishAll() {
 *     return pages.rendered()
 *             .concatMap(page -> reactiveCurrentLock.get().doOnNext(HeldLock::ensureHeld).then(pages.publish(page)));
 * }
 * }</pre>
 *
 * <p>If the context has no lock, the lock of the method that the subscribing thread runs is found. A test without the aspect makes
 * one of a lock: {@code () -> Mono.just(lock)}. Thread-safe.
 */
@FunctionalInterface
public interface ReactiveCurrentLock {

    /**
     * Returns the lock of the running method, as {@link CurrentLock#get()} does.
     *
     * @return emits the lock, without I/O; fails with {@link IllegalStateException} if no annotated method runs
     */
    Mono<HeldLock> get();

    /**
     * Returns one of the locks of the running method, or of the annotated methods that have called it.
     *
     * @param lockId the name of the resource
     * @return emits the lock, without I/O; fails with {@link IllegalStateException} if no annotated method runs, or none that has
     *     this lock
     */
    default Mono<HeldLock> get(String lockId) {
        return get().map(lock -> ((CurrentLock) () -> lock).get(lockId));
    }
}
