package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.HeldLock;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.RemoteLock;
import io.github.cassandralock.reactor.ReactiveCurrentLock;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

/** What an annotated method finds out about its lock, and that nothing else finds one. */
class CurrentLockTest {

    private static final Duration BOUND = Duration.ofSeconds(10);

    private final AspectContext spring = AspectContext.of(Service.class);
    private final InMemoryLocker locker = spring.locker();
    private final Service service = spring.bean(Service.class);
    private final CurrentLock currentLock =
            spring.bean(DistributedLockAspect.class).currentLock();
    private final ReactiveCurrentLock reactiveCurrentLock =
            spring.bean(DistributedLockAspect.class).reactiveCurrentLock();

    interface Converter<S, T> {
        @DistributedLock(key = "'converted:' + #source")
        T convert(S source);
    }

    static class Service implements Converter<String, HeldLock> {

        @Autowired
        @Nullable
        DistributedLockAspect aspect;

        private CurrentLock currentLock() {
            return requireNonNull(aspect).currentLock();
        }

        @DistributedLock(key = "#id")
        public <T> T under(String id, Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "#ids")
        public <T> T underAll(List<String> ids, Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "#id")
        public CompletableFuture<Long> stage(String id, CompletableFuture<?> start) {
            HeldLock lock = currentLock().get();
            return start.thenApply(ignored -> lock.reserveFencingToken());
        }

        @DistributedLock(key = "#id")
        public <T> Mono<T> mono(String id, Supplier<Mono<T>> work) {
            return work.get();
        }

        @DistributedLock(key = "#id")
        public Flux<Long> flux(String id) {
            HeldLock lock = currentLock().get();
            return Flux.range(0, 2).map(ignored -> lock.reserveFencingToken());
        }

        @DistributedLock(key = "#id")
        public Object anything(String id, Supplier<Mono<String>> work) {
            return work.get();
        }

        @DistributedLock(key = "'rx'")
        public Single<String> single() {
            return Single.fromSupplier(() -> currentLock().get().getLockId());
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public @Nullable String soft() {
            return currentLock().get().getLockId();
        }

        /** Does not pass the proxy. */
        public HeldLock byThis() {
            return under("k", () -> currentLock().get());
        }

        @Override
        public HeldLock convert(String source) {
            return currentLock().get();
        }
    }

    @AfterEach
    void close() {
        assertNoCurrentLock();
        spring.close();
    }

    private void assertNoCurrentLock() {
        assertThatIllegalStateException()
                .isThrownBy(currentLock::get)
                .withMessageContainingAll(
                        "No method with @DistributedLock runs here",
                        Thread.currentThread().getName(),
                        "'this'",
                        "another thread",
                        "ReactiveCurrentLock",
                        "RemoteLocker");
    }

    private String idAndToken() {
        HeldLock lock = currentLock.get();
        lock.ensureHeld();
        return lock.getLockId() + " " + lock.reserveFencingToken();
    }

    @Test
    void methodFindsTheIdAndTheTokenOfItsLock() {
        assertThat(service.under("a", this::idAndToken)).isEqualTo("a 1");
        assertThat(service.under("a", this::idAndToken)).isEqualTo("a 2");
        assertThat(service.soft()).isEqualTo("k");
    }

    @Test
    void currentLockIsThatOfTheInnermostMethod() {
        List<String> found = new ArrayList<>();
        service.under("outer", () -> {
            found.add(idAndToken());
            found.add(service.under("inner", this::idAndToken));
            assertThatThrownBy(() -> service.under("failing", () -> {
                        throw new IllegalArgumentException("mine");
                    }))
                    .isInstanceOf(IllegalArgumentException.class);
            found.add(idAndToken());
            return found.add(service.under("outer", this::idAndToken));
        });
        assertThat(found).containsExactly("outer 1", "inner 2", "outer 1", "outer 1");
    }

    @Test
    void lockOfAnOuterMethodIsFoundByItsId() {
        assertThat(service.under(
                        "outer",
                        () -> service.under(
                                "inner", () -> currentLock.get("outer").reserveFencingToken())))
                .isEqualTo(1);
        service.under("outer", () -> {
            service.under("inner", () -> "ran");
            return assertThatIllegalStateException()
                    .isThrownBy(() -> currentLock.get("inner"))
                    .withMessageContainingAll("The running method has lock 'outer'", "have lock 'inner'");
        });
    }

    @Test
    void lossReachesTheMethodByItsLock() {
        List<String> reasons = new ArrayList<>();
        assertThatThrownBy(() -> service.under("k", () -> {
                    HeldLock lock = currentLock.get();
                    lock.onLost(reason -> reasons.add("lost"));
                    assertThat(lock.isHeld()).isTrue();
                    locker.lose("k");
                    assertThat(lock.isHeld()).isFalse();
                    lock.ensureHeld();
                    return "unreachable";
                }))
                .isInstanceOf(LockLostException.class);
        assertThat(reasons).hasSize(1);
    }

    @Test
    void lossOfOneOfSeveralLocksNamesIt() {
        List<String> losses = new ArrayList<>();
        Supplier<String> losing = () -> {
            currentLock.get().onLost(loss -> losses.add(loss.text()));
            currentLock.get("b").onLost(loss -> losses.add("alone: " + loss.text()));
            locker.lose("b");
            return "ran";
        };
        assertThatThrownBy(() -> service.under("a", () -> service.underAll(List.of("a", "b"), losing)))
                .isInstanceOf(LockLostException.class);
        assertThat(losses).containsExactly("lock 'b': lost by the test", "alone: lost by the test");
    }

    @Test
    void lockIsNoHandleThatCouldBeClosed() {
        HeldLock lock = service.under("k", currentLock::get);
        assertThat(lock).isNotInstanceOfAny(RemoteLock.class, AutoCloseable.class);
    }

    @Test
    void callByThisHasNoCurrentLock() {
        assertThatIllegalStateException().isThrownBy(service::byThis).withMessageContaining("'this'");
    }

    @Test
    void otherThreadHasNoCurrentLockAndMayUseThatOfTheMethod() {
        service.under("k", () -> {
            HeldLock lock = currentLock.get();
            CompletableFuture.runAsync(() -> {
                        assertNoCurrentLock();
                        lock.ensureHeld();
                    })
                    .join();
            return "ran";
        });
    }

    @Test
    void lockThatOutlivesItsMethodReportsItsEnd() {
        HeldLock leaked = service.under("k", currentLock::get);
        assertThat(leaked.isHeld()).isFalse();
        assertThatIllegalStateException().isThrownBy(leaked::ensureHeld);
        assertThat(leaked).hasToString("HeldLock[lock 'k', not held]");
    }

    @Test
    void lockOfANestedMethodIsHeldAsLongAsTheOuterOneHasIt() {
        service.under("k", () -> {
            HeldLock inner = service.under("k", currentLock::get);
            inner.ensureHeld();
            return "ran";
        });
    }

    @Test
    void stageGoesOnWithTheLockOfItsMethodOnOtherThreads() throws Exception {
        CompletableFuture<String> start = new CompletableFuture<>();
        CompletableFuture<Long> stage = service.stage("k", start);
        assertNoCurrentLock();
        Thread other = new Thread(() -> start.complete("go"));
        other.start();
        other.join();
        assertThat(stage.join()).isEqualTo(1);
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void stageThatUsesALostLockFails() {
        CompletableFuture<String> start = new CompletableFuture<>();
        CompletableFuture<Long> stage = service.stage("k", start);
        locker.lose("k");
        start.complete("go");
        assertThatThrownBy(stage::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LockLostException.class);
    }

    private Mono<String> reactiveIdAndToken() {
        return reactiveCurrentLock
                .get()
                .publishOn(Schedulers.parallel())
                .doOnNext(HeldLock::ensureHeld)
                .map(lock -> lock.getLockId() + " " + lock.reserveFencingToken());
    }

    @Test
    void subscriptionFindsItsLockOnEveryThread() {
        Mono<String> work = Mono.just("x").publishOn(Schedulers.parallel()).flatMap(x -> reactiveIdAndToken());
        assertThat(service.mono("k", () -> work).block(BOUND)).isEqualTo("k 1");
        assertThat(service.mono("k", () -> work).block(BOUND)).isEqualTo("k 2");
        assertThat(service.anything("k", () -> work))
                .isInstanceOfSatisfying(
                        Mono.class, mono -> assertThat(mono.block(BOUND)).isEqualTo("k 4"));
    }

    @Test
    void bodyOfAReactiveMethodFindsTheLockOnItsThread() {
        assertThat(service.flux("k").collectList().block(BOUND)).containsExactly(1L, 1L);
        assertThat(service.mono("k", () -> Mono.just(idAndToken())).block(BOUND))
                .isEqualTo("k 2");
    }

    @Test
    void innermostSubscriptionHasTheCurrentLock() {
        Mono<List<String>> work = Flux.concat(
                        reactiveIdAndToken(),
                        service.mono("inner", this::reactiveIdAndToken),
                        service.mono(
                                "inner", () -> reactiveCurrentLock.get("outer").map(HeldLock::getLockId)),
                        reactiveIdAndToken())
                .collectList();
        assertThat(service.mono("outer", () -> work).block(BOUND))
                .containsExactly("outer 1", "inner 2", "outer", "outer 1");
    }

    /** The thread that blocks runs the outer method. */
    @Test
    void subscriptionInAMethodThatBlocksPrefersItsOwnLock() {
        assertThat(service.under(
                        "outer",
                        () -> service.mono("inner", this::reactiveIdAndToken).block(BOUND)))
                .isEqualTo("inner 2");
        assertThat(service.under("outer", () -> reactiveIdAndToken().block(BOUND)))
                .isEqualTo("outer 3");
    }

    @Test
    void subscriptionOutsideFailsAndNamesTheCause() {
        StepVerifier.create(reactiveCurrentLock.get())
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("No method with @DistributedLock runs here"))
                .verify(BOUND);
        StepVerifier.create(service.mono("k", () -> reactiveCurrentLock.get("other")))
                .expectErrorSatisfies(failure ->
                        assertThat(failure).hasMessageContainingAll("The running method has lock 'k'", "'other'"))
                .verify(BOUND);
    }

    /** RxJava does not pass Reactor's context on. */
    @Test
    void otherLibrariesFindTheLockOnTheThreadThatSubscribes() {
        assertThat(service.single().blockingGet()).isEqualTo("rx");
    }

    @Test
    void methodOfAGenericInterfaceFindsItsLock() {
        Converter<String, HeldLock> converter = service;
        assertThat(converter.convert("x").getLockId()).isEqualTo("converted:x");
    }

    /** What a unit test of a method without the aspect does. */
    @Test
    void testMakesACurrentLockOfALock() {
        RemoteLock lock = locker.getLock("k");
        CurrentLock ofTest = () -> lock;
        assertThat(ofTest.get("k").reserveFencingToken()).isEqualTo(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> ofTest.get("other"))
                .withMessageContainingAll("'k'", "'other'");
        ReactiveCurrentLock reactive = () -> Mono.just(lock);
        assertThat(reactive.get("k").map(HeldLock::getLockId).block(BOUND)).isEqualTo("k");
    }
}
