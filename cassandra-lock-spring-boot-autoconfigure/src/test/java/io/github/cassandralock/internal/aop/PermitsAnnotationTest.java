package io.github.cassandralock.internal.aop;

import static io.github.cassandralock.LockMode.PROTECTED_READ;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockRequest;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.Lazy;

/**
 * How many permits annotated calls ask for, and which nested calls share one. Costs nothing. Catches an annotation whose permits have
 * no effect, and a nested call that needs the lock alone and runs beside others.
 */
class PermitsAnnotationTest {

    static class Rates {

        @Autowired
        @Lazy
        @Nullable
        Rates self;

        private Rates proxied() {
            return requireNonNull(self);
        }

        @DistributedLock(key = "'api'", permits = 5)
        public void fetch() {}

        @DistributedLock(key = "'api'")
        public void alone() {}

        @DistributedLock(key = "'api'")
        public void aloneAndFetch() {
            proxied().fetch();
        }

        @DistributedLock(key = "'api'", permits = 5)
        public void fetchTwice() {
            proxied().fetch();
        }

        @DistributedLock(key = "'api'", permits = 5)
        public void fetchAndAlone() {
            proxied().alone();
        }
    }

    static class None {

        @DistributedLock(key = "'api'", permits = 0)
        public void fetch() {}
    }

    static class TooMany {

        @DistributedLock(key = "'api'", permits = LockRequest.MAX_PERMITS + 1)
        public void fetch() {}
    }

    static class Readers {

        @DistributedLock(key = "'api'", permits = 5, mode = PROTECTED_READ)
        public void fetch() {}
    }

    static class OfEachDay {

        @DistributedLock(key = "'api'", permits = 5, onceFor = "'today'")
        public void fetch() {}
    }

    @Test
    void callAsksForAPermit() {
        AspectContext spring = AspectContext.of(Rates.class);
        spring.bean(Rates.class).fetch();
        spring.bean(Rates.class).alone();
        assertThat(spring.locker().requests).extracting(LockRequest::getPermits).containsExactly(5, 1);
    }

    @Test
    void nestedCallUsesThePermitOfTheOuterOneUnlessItNeedsFewerHolders() {
        AspectContext spring = AspectContext.of(Rates.class);
        Rates rates = spring.bean(Rates.class);
        rates.fetchTwice();
        rates.aloneAndFetch();
        assertThat(spring.locker().requests).hasSize(2);
        assertThatIllegalStateException()
                .isThrownBy(rates::fetchAndAlone)
                .withMessageContainingAll("Rates.alone(…) needs lock 'api'", "needs it alone", "permits = 1");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(None.class, "permits = 0"),
                Arguments.of(TooMany.class, "not from one to 128"),
                Arguments.of(Readers.class, "the mode EXCLUSIVE only"),
                Arguments.of(OfEachDay.class, "remove the permits"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void permitsThatCannotBeAreRefusedAtTheStart(Class<?> mistaken, String message) {
        LockOperations operations = AspectContext.operations(new DefaultListableBeanFactory());
        assertThatIllegalStateException()
                .isThrownBy(() -> operations.areIn(mistaken))
                .withMessageContainingAll("@DistributedLock on ", message);
    }

    @Test
    void permitsOfAnAlgorithmWithoutThemAreRefusedAtTheStart() {
        LockOperations operations = AspectContext.operations(new DefaultListableBeanFactory());
        operations.areIn(Rates.class);
        assertThatIllegalStateException()
                .isThrownBy(() -> operations.requireSupport(
                        locker -> Optional.of(new AlgorithmSupport("queue", mode -> true, true, false))))
                .withMessageContainingAll("5 permits", "'queue'", "'ticket'");
        assertThatNoException()
                .isThrownBy(() -> operations.requireSupport(
                        locker -> Optional.of(new AlgorithmSupport("ticket", mode -> true, true, true))));
    }
}
