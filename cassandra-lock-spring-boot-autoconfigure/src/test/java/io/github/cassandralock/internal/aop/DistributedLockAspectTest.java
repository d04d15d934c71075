package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.OnLost.INTERRUPT;
import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static io.github.cassandralock.DistributedLock.WhenBusy.THROW;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockNotAcquiredException;
import io.github.cassandralock.LockTimeoutException;
import io.github.cassandralock.RemoteLock;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Lazy;

class DistributedLockAspectTest {

    private final AspectContext spring = AspectContext.of(Service.class, Whole.class, Marked.class);
    private final InMemoryLocker locker = spring.locker();
    private final Service service = spring.bean(Service.class);

    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(key = "'meta'")
    @interface Exclusive {}

    static class Marked {
        @Exclusive
        public void run() {}
    }

    @DistributedLock(key = "'whole'")
    static class Whole {
        public void first() {}

        @DistributedLock(key = "'own'")
        public void second() {}
    }

    interface Contract {
        @DistributedLock(key = "'contract'")
        void run();
    }

    static class Implementation implements Contract {
        @Override
        public void run() {}
    }

    static class Service {

        @Autowired
        InMemoryLocker locker = new InMemoryLocker();

        @Autowired
        @Lazy
        @Nullable
        Service self;

        private boolean ran;

        public boolean hasRun() {
            return ran;
        }

        @DistributedLock(key = "'k'")
        public String work() {
            ran = true;
            return "done";
        }

        @DistributedLock(key = "'k'")
        public String nested() {
            return requireNonNull(self).work();
        }

        @DistributedLock(key = "'k'")
        public @Nullable Integer nestedTry() {
            return requireNonNull(self).tryIt();
        }

        @DistributedLock(key = "'k'", timeout = "50ms")
        public void impatient() {
            ran = true;
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public @Nullable Integer tryIt() {
            ran = true;
            return 1;
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public Optional<String> tryOptional() {
            return Optional.of("ran");
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK)
        public CompletableFuture<String> tryStage() {
            return CompletableFuture.completedFuture("ran");
        }

        @DistributedLock(key = "'k'", strategy = TRY_GET_LOCK, whenBusy = THROW)
        public int tryOrThrow() {
            return 1;
        }

        @DistributedLock(key = "'k'")
        public void fail() {
            throw new IllegalArgumentException("mine");
        }

        @DistributedLock(key = "'k'")
        public void loseIt() {
            locker.lose("k");
        }

        @DistributedLock(key = "'k'")
        public void loseItThenNest() {
            locker.lose("k");
            requireNonNull(self).work();
        }

        @DistributedLock(key = "'k'", onLost = INTERRUPT)
        public void loseItAndSleep() throws InterruptedException {
            locker.lose("k");
            new CountDownLatch(1).await(1, TimeUnit.MINUTES);
            ran = true;
        }

        @DistributedLock(key = "'k'", onLost = INTERRUPT)
        public void loseItAndReturn() {
            locker.lose("k");
        }

        @DistributedLock(key = "'k'")
        public CompletableFuture<String> stage(CompletableFuture<String> result) {
            return result;
        }
    }

    @AfterEach
    void close() {
        spring.close();
    }

    @Test
    void methodRunsUnderItsLock() {
        assertThat(service.work()).isEqualTo("done");
        assertThat(locker.events).containsExactly("lock k", "unlock k");
    }

    @Test
    void methodThatThrowsReleasesItsLock() {
        assertThatThrownBy(service::fail).isInstanceOf(IllegalArgumentException.class);
        assertThat(locker.events).containsExactly("lock k", "unlock k");
    }

    @Test
    void nestedCallSharesTheLock() {
        assertThat(service.nested()).isEqualTo("done");
        assertThat(service.nestedTry())
                .as("a soft attempt under one's own lock")
                .isEqualTo(1);
        assertThat(locker.events).containsExactly("lock k", "unlock k", "lock k", "unlock k");
    }

    @Test
    void nestedCallUnderALostLockDoesNotRun() {
        assertThatThrownBy(service::loseItThenNest).isInstanceOf(LockLostException.class);
        assertThat(service.hasRun()).isFalse();
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void annotationOnAClassAppliesToItsPublicMethodsAndAMethodsOwnComesFirst() {
        spring.bean(Whole.class).first();
        spring.bean(Whole.class).second();
        assertThat(spring.bean(Whole.class).toString()).isNotNull();
        assertThat(locker.events).containsExactly("lock whole", "unlock whole", "lock own", "unlock own");
    }

    @Test
    void annotationMayBeComposed() {
        spring.bean(Marked.class).run();
        assertThat(locker.events).containsExactly("lock meta", "unlock meta");
    }

    @Test
    void annotationOnAnInterfaceWorksThroughAnInterfaceProxyAndAClassProxy() {
        for (boolean proxyClasses : new boolean[] {false, true}) {
            try (AspectContext own = AspectContext.of(proxyClasses, Map.of(), Implementation.class)) {
                Contract bean = own.bean(Contract.class);
                assertThat(Proxy.isProxyClass(bean.getClass())).isEqualTo(!proxyClasses);
                bean.run();
                assertThat(own.locker().events).containsExactly("lock contract", "unlock contract");
            }
        }
    }

    @Test
    void timeoutThrowsAndDoesNotRun() {
        try (RemoteLock other = locker.getLock("k")) {
            assertThatThrownBy(service::impatient).isInstanceOf(LockTimeoutException.class);
        }
        assertThat(service.hasRun()).isFalse();
    }

    @Test
    void refusedSoftAttemptSkipsTheMethodAndAnswersEmpty() {
        try (RemoteLock other = locker.getLock("k")) {
            assertThat(service.tryIt()).isNull();
            assertThat(service.tryOptional()).isEmpty();
            assertThat(service.tryStage()).isCompletedWithValue(null);
        }
        assertThat(service.hasRun()).isFalse();
        assertThat(service.tryOptional()).contains("ran");
    }

    @Test
    void skippedRunOfEachMethodIsLoggedOnce() {
        try (SkipLog log = new SkipLog();
                RemoteLock other = locker.getLock("k")) {
            for (int run = 0; run < 3; run++) {
                service.tryIt();
                service.tryStage();
                assertThatThrownBy(service::tryOrThrow).isInstanceOf(LockNotAcquiredException.class);
            }
            assertThat(log.lines())
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .startsWith("[INFO] Lock 'k' is taken, so ")
                                    .endsWith("tryIt(…) was not run"),
                            line -> assertThat(line).endsWith("tryStage(…) was not run"));
        }
    }

    @Test
    void refusedSoftAttemptThrowsIfToldSo() {
        try (RemoteLock other = locker.getLock("k")) {
            assertThatThrownBy(service::tryOrThrow)
                    .isInstanceOf(LockNotAcquiredException.class)
                    .hasMessageContaining("'k'")
                    .hasMessageContaining("tryOrThrow");
        }
        assertThat(service.tryOrThrow()).isEqualTo(1);
    }

    @Test
    void lossIsThrownInPlaceOfTheResult() {
        assertThatThrownBy(service::loseIt).isInstanceOf(LockLostException.class);
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void lossInterruptsTheWorkerIfToldSoAndLeavesNoInterruptBehind() {
        assertThatThrownBy(service::loseItAndSleep)
                .isInstanceOf(LockLostException.class)
                .satisfies(loss ->
                        assertThat(List.of(loss.getSuppressed())).hasOnlyElementsOfType(InterruptedException.class));
        assertThat(service.hasRun()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThatThrownBy(service::loseItAndReturn).isInstanceOf(LockLostException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void stageHoldsTheLockUntilItCompletes() {
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<String> answer = service.stage(result);
        assertThat(locker.isHeld("k")).isTrue();
        result.complete("late");
        assertThat(answer).isCompletedWithValue("late");
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void stageThatFailsReleasesTheLock() {
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<String> answer = service.stage(result);
        result.completeExceptionally(new IllegalStateException("mine"));
        assertThat(answer.handle((value, failure) -> failure))
                .isCompletedWithValueMatching(IllegalStateException.class::isInstance, "the method's own exception");
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void cancellingTheStageReleasesTheLockWhenTheMethodsOwnHasEnded() {
        CompletableFuture<String> result = new CompletableFuture<>();
        service.stage(result).cancel(true);
        assertThat(result).isNotDone();
        assertThat(locker.isHeld("k")).isTrue();
        result.complete("late");
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void stageWhoseLockIsClosedFails() {
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<String> answer = service.stage(result);
        locker.close("k");
        result.complete("ran");
        assertThat(answer)
                .failsWithin(10, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void stageWhoseLockIsLostFails() {
        CompletableFuture<String> result = new CompletableFuture<>();
        CompletableFuture<String> answer = service.stage(result);
        locker.lose("k");
        result.complete("too late");
        assertThat(answer)
                .failsWithin(1, TimeUnit.SECONDS)
                .withThrowableThat()
                .withCauseInstanceOf(LockLostException.class);
    }
}
