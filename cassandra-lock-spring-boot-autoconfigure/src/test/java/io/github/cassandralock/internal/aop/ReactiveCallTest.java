package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static io.github.cassandralock.DistributedLock.WhenBusy.THROW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockNotAcquiredException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import io.reactivex.rxjava3.core.Single;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ReactiveCallTest {

    private static final Duration BOUND = Duration.ofSeconds(10);

    private static final String PUBLISHERS = "cassandra-lock-publisher";

    private final AspectContext spring = AspectContext.of(Service.class);
    private final InMemoryLocker locker = spring.locker();
    private final Service service = spring.bean(Service.class);

    static class Service {

        private final AtomicInteger calls = new AtomicInteger();

        public int calls() {
            return calls.get();
        }

        @DistributedLock(key = "'k'")
        public Mono<String> mono(Mono<String> result) {
            calls.incrementAndGet();
            return result;
        }

        @DistributedLock(key = "'k'")
        public Single<String> single(Single<String> inner) {
            return inner;
        }

        @DistributedLock(key = "'k'")
        public Flow.Publisher<String> flow(Flow.Publisher<String> inner) {
            return inner;
        }

        @DistributedLock(key = "'k'")
        public Mono<String> nesting(Mono<String> inner) {
            return Mono.just("outer").flatMap(outer -> inner);
        }

        @DistributedLock(key = "'k'")
        public @Nullable String blocking(Mono<String> inner) {
            return inner.block(BOUND);
        }

        @DistributedLock(key = "'k'")
        public Publisher<String> publisher(Publisher<String> result) {
            return result;
        }

        @DistributedLock(key = "'k'")
        public Flux<Integer> flux() {
            return Flux.range(1, 3);
        }

        @DistributedLock(key = "{'k', 'l'}")
        public Mono<String> twoLocks() {
            return Mono.just("ran");
        }

        @DistributedLock(key = "'once'", onceFor = "1")
        public Mono<String> onceForOne(Mono<String> result) {
            return result;
        }

        @DistributedLock(key = "'k'", timeout = "50ms")
        public Mono<String> impatient() {
            return Mono.just("ran");
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public Mono<String> soft() {
            return Mono.just("ran");
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK, whenBusy = THROW)
        public Flux<String> softOrThrow() {
            return Flux.just("ran");
        }
    }

    @AfterEach
    void close() {
        spring.close();
    }

    /** The outer subscription has found the lock on its thread; the inner one runs on another, and finds it in the context. */
    @Test
    void subscriptionOnAnotherThreadSharesTheLockOfTheMethodThatBlocks() {
        Mono<String> inner = Mono.delay(Duration.ofMillis(10)).then(service.mono(Mono.just("inner")));
        assertThat(service.blocking(service.nesting(inner))).isEqualTo("inner");
    }

    /** Neither passes Reactor's context on, by which subscriptions know in which lock they are. */
    @Test
    void nestedCallsOfOtherLibrariesShareTheLock() {
        Single<String> single = service.single(service.single(Single.just("inner")));
        assertThat(single.timeout(BOUND.toSeconds(), TimeUnit.SECONDS).blockingGet())
                .isEqualTo("inner");
        Flow.Publisher<String> flow =
                service.flow(service.flow(JdkFlowAdapter.publisherToFlowPublisher(Mono.just("inner"))));
        assertThat(JdkFlowAdapter.flowPublisherToFlux(flow).blockLast(BOUND)).isEqualTo("inner");
        assertThat(locker.events).containsExactly("lock k", "unlock k", "lock k", "unlock k");
    }

    @Test
    void nothingHappensBeforeSubscriptionAndEachSubscriptionTakesTheLockAnew() {
        Mono<String> mono = service.mono(Mono.just("x"));
        assertThat(locker.events).isEmpty();
        StepVerifier.create(mono).expectNext("x").expectComplete().verify(BOUND);
        StepVerifier.create(mono).expectNext("x").expectComplete().verify(BOUND);
        assertThat(service.calls()).isEqualTo(2);
        assertThat(locker.events).containsExactly("lock k", "unlock k", "lock k", "unlock k");
    }

    /** Answers of a locker arrive on its few threads. If work blocked them, nested calls would receive no answers. */
    @Test
    void workAndWhatFollowsItContinueOnThreadsThatMayBlock() {
        locker.answerOn("callback");
        Mono<String> thread = Mono.fromSupplier(ReactiveCallTest::thread);
        assertThat(service.mono(thread).block(BOUND)).isEqualTo(PUBLISHERS);
        assertThat(service.mono(thread).map(value -> thread()).block(BOUND)).isEqualTo(PUBLISHERS);
        assertThat(service.flux().map(value -> thread()).collectList().block(BOUND))
                .containsOnly(PUBLISHERS);
        assertThat(service.flux().then(thread).block(BOUND)).isEqualTo(PUBLISHERS);
        assertThat(service.soft().map(value -> thread()).block(BOUND)).isEqualTo(PUBLISHERS);
        assertThat(service.onceForOne(thread).block(BOUND)).isEqualTo(PUBLISHERS);
        assertThat(service.onceForOne(thread).then(thread).block(BOUND)).isEqualTo(PUBLISHERS);
        try (RemoteLock other = locker.getLock("k")) {
            assertThat(service.impatient().onErrorResume(failure -> thread).block(BOUND))
                    .isEqualTo(PUBLISHERS);
        }
    }

    private static String thread() {
        String name = Thread.currentThread().getName();
        return name.substring(0, name.lastIndexOf('-'));
    }

    /** Tasks of that scheduler stay with one thread each. */
    @Test
    void grantProceedsWhileAllThreadsOfReactorWaitForTheLock() {
        RemoteLock other = locker.getLock("k");
        CompletableFuture<String> first = service.mono(Mono.just("ran")).toFuture();
        int threads = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
        Flux<String> blocking = Flux.range(0, threads)
                .flatMap(
                        number -> Mono.fromCallable(() -> service.blocking(Mono.just("ran")))
                                .subscribeOn(Schedulers.boundedElastic()),
                        threads);
        CompletableFuture<Long> all = blocking.count().toFuture();
        await().atMost(BOUND).until(() -> locker.requests.size() == threads + 2);
        other.close();
        assertThat(first).succeedsWithin(BOUND).isEqualTo("ran");
        assertThat(all).succeedsWithin(BOUND).isEqualTo((long) threads);
    }

    /** A pool that has ended refuses tasks. The lock would stay, and the subscriber would wait for ever. */
    @Test
    void subscriptionsEndAfterTheirContextAndReleaseTheirLocks() {
        locker.answerOn("callback");
        Sinks.One<String> sink = Sinks.one();
        CompletableFuture<String> running = service.mono(sink.asMono()).toFuture();
        CompletableFuture<String> waiting =
                service.mono(Mono.just("ran")).map(value -> thread()).toFuture();
        spring.close();
        sink.tryEmitValue("ran");
        assertThat(running).succeedsWithin(BOUND).isEqualTo("ran");
        assertThat(waiting).succeedsWithin(BOUND).isEqualTo(PUBLISHERS);
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void threadsOfPublishersAreDaemonsAndEndWithTheirContext() {
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        service.mono(Mono.fromRunnable(() -> ran.complete(Thread.currentThread())))
                .block(BOUND);
        Thread thread = ran.join();
        assertThat(thread.isDaemon()).isTrue();
        spring.close();
        await().atMost(BOUND).until(() -> !thread.isAlive());
    }

    @Test
    void lockIsHeldUntilThePublisherCompletes() {
        Sinks.One<String> sink = Sinks.one();
        StepVerifier.create(service.mono(sink.asMono()))
                .then(() -> assertThat(locker.isHeld("k")).isTrue())
                .then(() -> sink.tryEmitValue("x"))
                .expectNext("x")
                .expectComplete()
                .verify(BOUND);
        assertThat(locker.isHeld("k")).isFalse();
        StepVerifier.create(service.flux()).expectNext(1, 2, 3).expectComplete().verify(BOUND);
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void publisherThatIsNeitherMonoNorFluxHoldsTheLockToo() {
        Sinks.One<String> sink = Sinks.one();
        StepVerifier.create(service.publisher(sink.asMono()))
                .then(() -> assertThat(locker.isHeld("k")).isTrue())
                .then(() -> sink.tryEmitValue("x"))
                .expectNext("x")
                .expectComplete()
                .verify(BOUND);
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void subscriptionInsideAnotherForTheSameLockSharesIt() {
        StepVerifier.create(service.nesting(service.mono(Mono.just("inner"))))
                .expectNext("inner")
                .expectComplete()
                .verify(BOUND);
        assertThat(service.blocking(service.mono(Mono.just("inner")))).isEqualTo("inner");
        assertThat(locker.events).containsExactly("lock k", "unlock k", "lock k", "unlock k");
    }

    @Test
    void errorAndCancellationReleaseTheLock() {
        StepVerifier.create(service.mono(Mono.error(new IllegalStateException("mine"))))
                .expectErrorMessage("mine")
                .verify(BOUND);
        assertThat(locker.isHeld("k")).isFalse();
        Disposable subscription = service.mono(Mono.never()).subscribe();
        assertThat(locker.isHeld("k")).isTrue();
        subscription.dispose();
        await().atMost(BOUND).until(() -> !locker.isHeld("k"));
    }

    @Test
    void subscriberThatLeavesWhileItWaitsLeavesTheQueue() {
        RemoteLock other = locker.getLock("k");
        Disposable waiting = service.mono(Mono.just("x")).subscribe();
        waiting.dispose();
        other.close();
        assertThat(locker.isHeld("k")).isFalse();
        assertThat(service.calls()).isEqualTo(0);
    }

    /** Reactor drops what arrives here. */
    @Test
    void lockThatIsGrantedBeforeACancellationInOnSubscribeIsReleased() {
        for (Publisher<?> call : List.of(service.mono(Mono.just("x")), service.flux(), service.soft())) {
            call.subscribe(cancelling(() -> {}));
            assertThat(locker.isHeld("k")).isFalse();
        }
        RemoteLock other = locker.getLock("k");
        service.mono(Mono.just("x")).subscribe(cancelling(other::close));
        assertThat(locker.isHeld("k")).isFalse();
        assertThat(service.calls()).isEqualTo(0);
    }

    /** Cancels its subscription as soon as it begins. */
    private static Subscriber<Object> cancelling(Runnable before) {
        return new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                before.run();
                subscription.cancel();
            }
        };
    }

    @Test
    void nestedCallThatIsCancelledInOnSubscribeLeavesTheOuterLock() {
        Mono<String> inner = Mono.deferContextual(context -> {
            service.twoLocks().contextWrite(context).subscribe(cancelling(() -> {}));
            return Mono.just("outer");
        });
        assertThat(service.mono(inner).block(BOUND)).isEqualTo("outer");
        assertThat(locker.isHeld("k")).isFalse();
        assertThat(locker.isHeld("l")).isFalse();
    }

    @Test
    void lostLockEndsInAnError() {
        Sinks.One<String> sink = Sinks.one();
        StepVerifier.create(service.mono(sink.asMono()))
                .then(() -> locker.lose("k"))
                .then(() -> sink.tryEmitValue("x"))
                .expectError(LockLostException.class)
                .verify(BOUND);
    }

    @Test
    void timeoutIsAnError() {
        try (RemoteLock other = locker.getLock("k")) {
            StepVerifier.create(service.impatient())
                    .expectError(LockTimeoutException.class)
                    .verify(BOUND);
        }
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void refusedSoftAttemptIsEmptyOrAnErrorAsTold() {
        try (RemoteLock other = locker.getLock("k")) {
            try (SkipLog log = new SkipLog()) {
                StepVerifier.create(service.soft()).expectComplete().verify(BOUND);
                assertThat(log.lines())
                        .singleElement()
                        .asString()
                        .startsWith("[INFO] Lock 'k' is taken, so ")
                        .endsWith("soft(…) was not run");
            }
            StepVerifier.create(service.softOrThrow())
                    .expectError(LockNotAcquiredException.class)
                    .verify(BOUND);
        }
        StepVerifier.create(service.soft()).expectNext("ran").expectComplete().verify(BOUND);
        await().atMost(BOUND).until(() -> !locker.isHeld("k"));
    }
}
