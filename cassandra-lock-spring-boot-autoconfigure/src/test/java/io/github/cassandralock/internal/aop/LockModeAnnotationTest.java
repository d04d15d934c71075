package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.DistributedLock.Strategy.TRY_GET_LOCK;
import static io.github.cassandralock.LockMode.CONCURRENT_READ;
import static io.github.cassandralock.LockMode.CONCURRENT_WRITE;
import static io.github.cassandralock.LockMode.EXCLUSIVE;
import static io.github.cassandralock.LockMode.NULL;
import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockRequest;
import io.github.cassandralock.MultiLockRequest;
import io.github.cassandralock.RemoteLocker;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.Lazy;
import reactor.core.publisher.Mono;

/**
 * Which mode annotated calls ask for, and which nested calls share a lock. Costs nothing. Catches a nested call that writes under
 * the lock of a reader, or that waits for its own outer call.
 */
class LockModeAnnotationTest {

    private final AspectContext spring = AspectContext.of(Catalogue.class);
    private final InMemoryLocker locker = spring.locker();
    private final Catalogue catalogue = spring.bean(Catalogue.class);

    static class Catalogue {

        @Autowired
        @Lazy
        @Nullable
        Catalogue self;

        private Catalogue proxied() {
            return requireNonNull(self);
        }

        @DistributedLock(key = "'k'")
        public void write() {}

        @DistributedLock(key = "'k'", mode = PROTECTED_READ)
        public void read() {}

        @DistributedLock(key = "'k'", mode = CONCURRENT_WRITE)
        public void append() {}

        @DistributedLock(key = "'k'", mode = PROTECTED_READ, timeout = "5s")
        public CompletableFuture<Void> readStage() {
            return CompletableFuture.completedFuture(null);
        }

        @DistributedLock(key = "'k'", mode = PROTECTED_READ, strategy = TRY_GET_LOCK)
        public Mono<String> readMono() {
            return Mono.just("done");
        }

        @DistributedLock(key = "#ids", mode = CONCURRENT_READ)
        public void readAll(List<String> ids) {}

        @DistributedLock(key = "'k'")
        public void writeThatReads() {
            proxied().read();
            proxied().append();
        }

        @DistributedLock(key = "'k'", mode = PROTECTED_READ)
        public void readThatReads() {
            proxied().read();
        }

        @DistributedLock(key = "'k'", mode = PROTECTED_READ)
        public void readThatWrites() {
            proxied().write();
        }

        @DistributedLock(key = "'k'", mode = PROTECTED_READ)
        public void readThatAppends() {
            proxied().append();
        }

        @DistributedLock(key = "{'a', 'k'}")
        public void writeSeveral() {}

        @DistributedLock(key = "'k'", mode = NULL)
        public void noneThatWritesSeveral() {
            proxied().writeSeveral();
        }

        @DistributedLock(key = "'k'")
        public Mono<String> writeMono() {
            return Mono.just("done");
        }

        @DistributedLock(key = "'k'", mode = PROTECTED_READ)
        public Mono<String> readMonoThatWrites() {
            return Mono.defer(() -> proxied().writeMono());
        }

        @DistributedLock(key = "'k'")
        public Mono<String> writeMonoThatReads() {
            return Mono.defer(() -> proxied().readMono());
        }
    }

    @AfterEach
    void close() {
        spring.close();
    }

    private void assertThatNothingIsHeld() {
        assertThat(locker.isHeld("k")).isFalse();
    }

    @Test
    void callAsksForTheModeOfItsAnnotation() {
        catalogue.write();
        catalogue.read();
        catalogue.readStage().join();
        catalogue.readMono().block();
        LockRequest reading = LockRequest.of("k").mode(PROTECTED_READ);
        assertThat(locker.requests).containsExactly(LockRequest.of("k"), reading, reading, reading);
    }

    @Test
    void keyOfSeveralLocksHasOneModeForAll() {
        RemoteLocker mocked = mock(RemoteLocker.class);
        LockOperation operation = AspectContext.operations(new DefaultListableBeanFactory())
                .find(
                        Stream.of(Catalogue.class.getMethods())
                                .filter(method -> method.getName().equals("readAll"))
                                .findFirst()
                                .orElseThrow(),
                        Catalogue.class)
                .orElseThrow();
        MultiLockRequest both = MultiLockRequest.of(List.of("a", "b")).mode(CONCURRENT_READ);
        when(mocked.tryGetLocks(both)).thenReturn(Optional.empty());
        assertThat(LockCall.of(mocked, operation, MultiLockRequest.of(List.of("b", "a")))
                        .tryGet())
                .isEmpty();
        verify(mocked).tryGetLocks(both);
    }

    @Test
    void nestedCallSharesTheLockIfTheOuterModeCoversItsOwn() {
        catalogue.writeThatReads();
        catalogue.readThatReads();
        assertThat(catalogue.writeMonoThatReads().block()).isEqualTo("done");
        assertThat(locker.requests)
                .containsExactly(LockRequest.of("k"), LockRequest.of("k").mode(PROTECTED_READ), LockRequest.of("k"));
    }

    @Test
    void nestedCallInAStrongerModeIsRefusedWithTheModeToTakeOutside() {
        assertThatIllegalStateException()
                .isThrownBy(catalogue::readThatWrites)
                .withMessageContainingAll(
                        "Catalogue.write(…) needs lock 'k' in mode EXCLUSIVE",
                        "Catalogue.readThatWrites(…)",
                        "mode PROTECTED_READ",
                        "set mode = LockMode.EXCLUSIVE on");
        assertThatNothingIsHeld();
        assertThat(locker.requests).hasSize(1);
    }

    @Test
    void nestedCallInAnIncomparableModeIsRefusedWithTheModeThatCoversBoth() {
        assertThatIllegalStateException()
                .isThrownBy(catalogue::readThatAppends)
                .withMessageContaining("set mode = LockMode.PROTECTED_WRITE on");
        assertThatNothingIsHeld();
    }

    @Test
    void nestedCallForSeveralLocksTakesNoneIfOneIsHeldInAWeakerMode() {
        assertThatIllegalStateException()
                .isThrownBy(catalogue::noneThatWritesSeveral)
                .withMessageContaining("lock 'k' in mode EXCLUSIVE");
        assertThatNothingIsHeld();
        assertThat(locker.requests).hasSize(1);
    }

    @Test
    void nestedSubscriptionInAStrongerModeIsRefused() {
        Mono<String> mono = catalogue.readMonoThatWrites();
        assertThatThrownBy(mono::block)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Catalogue.writeMono(…) needs lock 'k' in mode EXCLUSIVE");
        assertThatNothingIsHeld();
    }

    @Test
    void annotationWithAModeThatIsNotSupportedIsFoundAtTheStart() {
        LockOperations operations = AspectContext.operations(new DefaultListableBeanFactory());
        assertThatNoException()
                .as("nothing is asked for without modes")
                .isThrownBy(() -> operations.requireSupport(locker -> {
                    throw new AssertionError("asked");
                }));
        operations.areIn(Catalogue.class);
        assertThatIllegalStateException()
                .isThrownBy(() -> operations.requireSupport(
                        locker -> Optional.of(new AlgorithmSupport("queue", EXCLUSIVE::equals, false, false))))
                .withMessageContainingAll(
                        "Catalogue.",
                        "has the mode",
                        "'queue'",
                        "EXCLUSIVE",
                        "move all instances to the algorithm 'ticket'");
        assertThatNoException()
                .isThrownBy(() -> operations.requireSupport(
                        locker -> Optional.of(new AlgorithmSupport("ticket", mode -> true, true, true))));
        assertThatNoException().isThrownBy(() -> operations.requireSupport(locker -> Optional.empty()));
    }
}
