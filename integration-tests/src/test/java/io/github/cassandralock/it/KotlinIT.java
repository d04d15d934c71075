package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.cassandralock.autoconfigure.CassandraLockAutoConfiguration;
import io.github.cassandralock.test.InMemoryRemoteLocker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;

/** The annotation on classes that Kotlin's compiler has made. Needs no node; costs a second. */
class KotlinIT {

    private static final Duration BOUND = Duration.ofSeconds(20);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CassandraLockAutoConfiguration.class))
            .withBean(InMemoryRemoteLocker.class, InMemoryRemoteLocker::new);

    @Test
    void componentOfAValueClassIsTheKeyHoweverItIsPassed() {
        application.withBean(KotlinAccounts.class).run(context -> {
            InMemoryRemoteLocker locks = context.getBean(InMemoryRemoteLocker.class);
            KotlinCalls.all(context.getBean(KotlinAccounts.class), 42).forEach((name, call) -> {
                AtomicBoolean taken = new AtomicBoolean();
                call.invoke(() -> taken.set(locks.isTaken("account:42")));
                assertThat(taken).as(name).isTrue();
            });
        });
    }

    @Test
    void messagesNameWhatToWriteInKotlin() {
        application.withBean(KotlinAccounts.class).run(context -> {
            KotlinAccounts accounts = context.getBean(KotlinAccounts.class);
            assertThatThrownBy(() -> KotlinCalls.withoutId(accounts)).hasMessageContaining("#id is null");
            assertThatThrownBy(() -> KotlinCalls.byProperty(accounts)).hasMessageContaining("write #id, not #id.value");
            assertThatThrownBy(() -> KotlinCalls.byTransfer(accounts))
                    .hasMessageContainingAll("#transfer is of the type", "Transfer", "#transfer.id");
        });
    }

    @Test
    void functionalInterfaceIsLocked() {
        application.withBean(AccountHandler.class, KotlinCalls::handler).run(context -> {
            InMemoryRemoteLocker locks = context.getBean(InMemoryRemoteLocker.class);
            AtomicBoolean taken = new AtomicBoolean();
            context.getBean(AccountHandler.class).handle(42, () -> taken.set(locks.isTaken("account:42")));
            assertThat(taken).isTrue();
        });
    }

    private interface Booking {
        CompletableFuture<String> begin(BlockingLedger ledger, long id, Runnable statement);
    }

    @Test
    void cancelledSuspendFunctionHoldsItsLockUntilItHasEnded() {
        application.withBean(BlockingLedger.class).run(context -> {
            InMemoryRemoteLocker locks = context.getBean(InMemoryRemoteLocker.class);
            BlockingLedger ledger = context.getBean(BlockingLedger.class);
            List<Booking> bookings = List.of(LedgerCalls::book, LedgerCalls::bookAtBranch, LedgerCalls::bookUnconfined);
            for (int number = 0; number < bookings.size(); number++) {
                CountDownLatch begun = new CountDownLatch(1);
                CompletableFuture<Void> end = new CompletableFuture<>();
                CompletableFuture<String> booked = bookings.get(number).begin(ledger, number, () -> {
                    begun.countDown();
                    end.join();
                });
                begun.await();
                String branch = "branch:" + number;
                boolean isAtBranch = locks.isTaken(branch);
                booked.cancel(false);
                assertThat(locks.isTaken("account:" + number)).isTrue();
                assertThat(locks.isTaken(branch)).isEqualTo(isAtBranch);
                end.complete(null);
                String account = "account:" + number;
                await().atMost(BOUND).until(() -> !locks.isTaken(account) && !locks.isTaken(branch));
            }
        });
    }

    /** The function returns normally, as after {@code withTimeoutOrNull}. */
    @Test
    void suspendFunctionHoldsItsLockUntilPartsThatItGaveUpHaveEnded() {
        application.withBean(BlockingLedger.class).run(context -> {
            InMemoryRemoteLocker locks = context.getBean(InMemoryRemoteLocker.class);
            CountDownLatch begun = new CountDownLatch(1);
            CompletableFuture<Void> end = new CompletableFuture<>();
            CompletableFuture<Void> signal = new CompletableFuture<>();
            CompletableFuture<String> givenUp = LedgerCalls.giveUp(
                    context.getBean(BlockingLedger.class),
                    1,
                    () -> {
                        begun.countDown();
                        end.join();
                    },
                    signal);
            begun.await();
            signal.complete(null);
            assertThat(locks.isTaken("branch:1")).isTrue();
            assertThat(givenUp).isNotDone();
            end.complete(null);
            assertThat(givenUp).succeedsWithin(BOUND).isEqualTo("given up");
            await().atMost(BOUND).until(() -> !locks.isTaken("branch:1") && !locks.isTaken("account:1"));
        });
    }

    /** Spring Framework 7 makes a proxy of its interfaces if its definition says so, as with {@code @Proxyable}. */
    @Test
    void finalClassIsLockedIfItsInterfacesAreProxied() {
        assumeTrue(RetriedBySpring7.isPossible(), "Spring Framework 6 makes a proxy of the class");
        RootBeanDefinition definition = new RootBeanDefinition(FinalBehindAnInterface.class);
        definition.setAttribute(AutoProxyUtils.class.getName() + ".exposedInterfaces", new Class<?>[0]);
        application
                .withInitializer(
                        context -> ((GenericApplicationContext) context).registerBeanDefinition("accounts", definition))
                .run(context -> {
                    InMemoryRemoteLocker locks = context.getBean(InMemoryRemoteLocker.class);
                    AtomicBoolean taken = new AtomicBoolean();
                    context.getBean(Touching.class).touch(() -> taken.set(locks.isTaken("k")));
                    assertThat(taken).isTrue();
                });
    }

    @Test
    void functionsThatCannotRunUnderTheirLockOrBeSkippedAreRefused() {
        Map.of(
                        SkipsWithoutAValue.class,
                        "no class java.lang.Integer to return",
                        SkipsWithoutAText.class,
                        "no class java.lang.String to return",
                        SuspendsAndReturnsAStage.class,
                        "returns java.util.concurrent.CompletableFuture",
                        SuspendsAndReturnsASequence.class,
                        "returns kotlin.sequences.Sequence",
                        SuspendsAndIsInterrupted.class,
                        "a publisher or a coroutine does not belong to one thread")
                .forEach((type, problem) -> application
                        .withBean(type)
                        .run(context -> assertThat(context)
                                .getFailure()
                                .rootCause()
                                .hasMessageContainingAll(type.getSimpleName(), problem)));
    }

    @Test
    void finalClassAndFinalMethodAreRefusedWithWhatToWriteInKotlin() {
        for (Class<?> type : new Class<?>[] {FinalAccounts.class, AccountsWithFinalMethod.class}) {
            application
                    .withBean(type)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContainingAll(type.getSimpleName(), "open", "kotlin-spring"));
        }
    }
}
