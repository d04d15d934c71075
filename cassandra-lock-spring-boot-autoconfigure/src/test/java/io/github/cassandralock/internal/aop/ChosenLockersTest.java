package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.CurrentLock;
import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.LockLostException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Annotated methods on two lockers: the same id names two locks, and nested calls share those of their own locker only. */
class ChosenLockersTest {

    private final AspectContext spring = AspectContext.of(Lockers.class, Orders.class);
    private final InMemoryLocker main = spring.locker();
    private final InMemoryLocker billing = spring.context().getBean("billing", InMemoryLocker.class);
    private final Orders orders = spring.bean(Orders.class);
    private final CurrentLock current = spring.bean(DistributedLockAspect.class).currentLock();

    @AfterEach
    void stop() {
        spring.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Lockers {

        @Bean(name = "billing", defaultCandidate = false)
        InMemoryLocker billing() {
            return new InMemoryLocker();
        }
    }

    static class Orders {

        @DistributedLock(key = "'a'")
        public <T> T inMain(Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "'a'", locker = "billing")
        public <T> T inBilling(Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "'a'", locker = "billing")
        public Mono<String> later(Supplier<String> work) {
            return Mono.fromSupplier(work);
        }

        @DistributedLock(key = "'a'", locker = "billing")
        public Mono<String> around(Mono<String> work) {
            return work;
        }

        @DistributedLock(key = "'a'")
        public Mono<String> laterInMain(Supplier<String> work) {
            return Mono.fromSupplier(work);
        }

        @DistributedLock(key = "'b'", locker = "billing")
        public <T> T otherInBilling(Supplier<T> work) {
            return work.get();
        }

        @DistributedLock(key = "'a'", locker = "locker")
        public <T> T inMainByItsName(Supplier<T> work) {
            return work.get();
        }
    }

    static class Unknown {

        @DistributedLock(key = "'a'", locker = "bills")
        public void run() {}
    }

    @Test
    void sameIdOfTwoLockersNamesTwoLocks() {
        boolean both = orders.inMain(() -> orders.inBilling(() -> main.isHeld("a") && billing.isHeld("a")));
        assertThat(both).isTrue();
        assertThat(main.events).containsExactly("lock a", "unlock a");
        assertThat(billing.events).containsExactly("lock a", "unlock a");
    }

    @Test
    void nestedCallsShareTheLockOfTheirOwnLocker() {
        orders.inBilling(() -> orders.inMain(() -> orders.inBilling(() -> orders.inMain(() -> "done"))));
        assertThat(main.requests).hasSize(1);
        assertThat(billing.requests).hasSize(1);
    }

    @Test
    void currentLockIsThatOfTheInnermostCall() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> orders.inMain(() -> orders.inBilling(() -> {
                    main.lose("a");
                    assertThat(current.get().isHeld()).isTrue();
                    assertThat(current.get("a").isHeld()).isTrue();
                    return assertThat(orders.<Boolean>otherInBilling(
                                    () -> current.get("a").isHeld()))
                            .isTrue();
                })));
    }

    @Test
    void locksOfOuterCallsOnAnotherLockerAreFound() {
        assertThat(orders.<Boolean>inMain(
                        () -> orders.otherInBilling(() -> current.get("a").isHeld())))
                .isTrue();
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.otherInBilling(() -> current.get("a")))
                .withMessageContaining("'a'");
    }

    @Test
    void publishersFindTheLocksOfTheirOwnLocker() {
        assertThat(orders.around(orders.later(() -> "shared")).block()).isEqualTo("shared");
        assertThat(billing.requests).hasSize(1);
        assertThat(orders.around(orders.laterInMain(() -> "both")).block()).isEqualTo("both");
        assertThat(main.requests).hasSize(1);
    }

    @Test
    void mainLockerHasOneIdentityWithAndWithoutItsName() {
        orders.inMain(() -> orders.inMainByItsName(() -> "done"));
        assertThat(main.requests).hasSize(1);
    }

    @Test
    void unknownLockerIsRefusedWithTheNamesOfAll() {
        assertThatThrownBy(() -> AspectContext.of(Lockers.class, Unknown.class))
                .hasStackTraceContaining("locker = \"bills\"")
                .hasStackTraceContaining("'locker', 'billing'");
    }
}
