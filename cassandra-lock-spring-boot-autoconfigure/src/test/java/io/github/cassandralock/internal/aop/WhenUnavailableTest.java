package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.DistributedLock.WhenUnavailable;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.LockStoreException;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import io.github.cassandralock.internal.store.RefusedRequestException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What a soft call does while Cassandra does not answer, with each kind of result. Catches a method that runs without its lock. */
class WhenUnavailableTest {

    private final LockStoreException down =
            new LockStoreException("k", "Lock 'k' could not be taken", new IllegalStateException("no node"));

    private final SkipLog log = new SkipLog();
    private final Jobs target = new Jobs();
    private final Jobs jobs = proxied(target, down);

    static class Jobs {

        int runs;

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public void throwing() {
            runs++;
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK, whenUnavailable = WhenUnavailable.SKIP)
        public String skipped() {
            return "run " + ++runs;
        }

        @DistributedLock(
                key = "'k'",
                strategy = TRY_GET_LOCK,
                whenBusy = WhenBusy.THROW,
                whenUnavailable = WhenUnavailable.SKIP)
        public Optional<String> skippedUnlessBusy() {
            return Optional.of("run " + ++runs);
        }

        @DistributedLock(key = "{'k', 'l'}", strategy = TRY_GET_LOCK, whenUnavailable = WhenUnavailable.SKIP)
        public void several() {
            runs++;
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK, whenUnavailable = WhenUnavailable.SKIP)
        public CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture("run " + ++runs);
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK, whenUnavailable = WhenUnavailable.SKIP)
        public Mono<String> mono() {
            return Mono.fromSupplier(() -> "run " + ++runs);
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public Flux<String> throwingFlux() {
            return Flux.just("run " + ++runs);
        }
    }

    private static Jobs proxied(Jobs target, LockStoreException failure) {
        RemoteLocker locker = mock(RemoteLocker.class);
        when(locker.tryGetLock(any(LockRequest.class))).thenThrow(failure);
        when(locker.tryGetLocks(any(MultiLockRequest.class))).thenThrow(failure);
        when(locker.tryGetLockAsync(any(LockRequest.class)))
                .thenAnswer(call -> CompletableFuture.failedFuture(failure));
        ProxyFactory proxy = new ProxyFactory(target);
        proxy.setProxyTargetClass(true);
        proxy.addAdvisor(new DistributedLockAspect(
                () -> locker,
                new DefaultListableBeanFactory(),
                DistributedLockAspect.OUTSIDE_TRANSACTIONS,
                () -> WorkTracing.OFF,
                Optional.empty()));
        return (Jobs) proxy.getProxy();
    }

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void callThrowsByDefault() {
        assertThatThrownBy(jobs::throwing).isSameAs(down);
        assertThatThrownBy(() -> jobs.throwingFlux().blockLast()).isInstanceOf(LockStoreException.class);
        assertThat(target.runs).isZero();
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void skippedCallHasAnEmptyResultAndAWarningWithTheReason() {
        assertThat(jobs.skipped()).isNull();
        assertThat(jobs.skippedUnlessBusy()).isEmpty();
        jobs.several();
        assertThat(jobs.stage()).isCompletedWithValue(null);
        assertThat(jobs.mono().block()).isNull();
        assertThat(target.runs).isZero();
        List<String> lines = log.lines();
        assertThat(lines)
                .hasSize(5)
                .allSatisfy(line -> assertThat(line).contains("[WARN]", "was not run", "Lock 'k' could not be taken"));
        assertThat(lines.get(0)).contains("Jobs.skipped");
    }

    @Test
    void callThatCassandraRefusesIsNotSkipped() {
        LockStoreException refused = new LockStoreException(
                "k", "Lock 'k' could not be taken", new RefusedRequestException("no permission", new Exception()));
        Jobs refusedJobs = proxied(target, refused);
        assertThatThrownBy(refusedJobs::skipped).isSameAs(refused);
        assertThatThrownBy(refusedJobs::several).isSameAs(refused);
        assertThatThrownBy(refusedJobs::stage).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> refusedJobs.mono().block()).isInstanceOf(LockStoreException.class);
        assertThat(target.runs).isZero();
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void repeatedSkipsHaveOneLineAMinute() {
        jobs.skipped();
        jobs.skipped();
        assertThat(log.lines()).hasSize(1);
    }

    static class Waiting {
        @DistributedLock(key = "'k'", whenUnavailable = WhenUnavailable.SKIP)
        public void run() {}
    }

    static class Primitive {
        @DistributedLock(
                key = "'k'",
                strategy = TRY_GET_LOCK,
                whenBusy = WhenBusy.THROW,
                whenUnavailable = WhenUnavailable.SKIP)
        public int run() {
            return 1;
        }
    }

    @Test
    void combinationsWithoutEffectOrResultAreRefusedAtStartup() {
        assertThatThrownBy(() -> AspectContext.of(Waiting.class).close())
                .rootCause()
                .hasMessageContainingAll("Waiting.run", "whenUnavailable = SKIP", "GET_LOCK");
        assertThatThrownBy(() -> AspectContext.of(Primitive.class).close())
                .rootCause()
                .hasMessageContainingAll("Primitive.run", "int", "whenUnavailable = THROW");
    }
}
