package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.cassandralock.DistributedLock;
import io.reactivex.rxjava3.core.Flowable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.transaction.reactive.TransactionContext;
import org.springframework.transaction.reactive.TransactionContextManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Publishers beside transactions, and calls in the methods that return publishers. Catches a lock that is released before the
 * commit, and a call that waits for itself.
 */
@Timeout(60)
class PublishersInTransactionsTest {

    private static final Duration BOUND = Duration.ofSeconds(5);

    private final AspectContext spring = AspectContext.of(Service.class);
    private final InMemoryLocker locker = spring.locker();
    private final Service service = spring.bean(Service.class);

    static class Service {

        @DistributedLock(key = "'k'")
        public Mono<String> mono(Supplier<Mono<String>> body) {
            return body.get();
        }

        @DistributedLock(key = "'k'")
        public Flux<String> flux(Supplier<Flux<String>> body) {
            return body.get();
        }

        @DistributedLock(key = "'k'")
        public Flowable<String> flowable(Supplier<Flowable<String>> body) {
            return body.get();
        }

        @DistributedLock(key = "'k'")
        public String blocking(Supplier<String> body) {
            return body.get();
        }

        @DistributedLock(key = "'k'")
        public CompletableFuture<String> stage() {
            return CompletableFuture.completedFuture("staged");
        }
    }

    @AfterEach
    void close() {
        assertThat(locker.isHeld("k")).isFalse();
        spring.close();
    }

    /** In a reactive transaction as Spring's managers begin one. */
    static Function<Context, Context> transaction() {
        return context -> {
            Context inTransaction =
                    TransactionContextManager.createTransactionContext().apply(context);
            org.springframework.transaction.reactive.TransactionSynchronizationManager bound = bound(inTransaction);
            bound.setActualTransactionActive(true);
            bound.initSynchronization();
            return inTransaction;
        };
    }

    /** In a reactive transaction that has committed, as its synchronizations are called. */
    private static Function<Context, Context> committedTransaction() {
        return transaction().andThen(context -> {
            bound(context).clearSynchronization();
            return context;
        });
    }

    private static org.springframework.transaction.reactive.TransactionSynchronizationManager bound(Context context) {
        return new org.springframework.transaction.reactive.TransactionSynchronizationManager(
                context.get(TransactionContext.class));
    }

    private <T> T inATransactionOfThisThread(Supplier<T> work) {
        TransactionSynchronizationManager.setActualTransactionActive(true);
        TransactionSynchronizationManager.initSynchronization();
        try {
            return work.get();
        } finally {
            TransactionSynchronizationManager.clear();
        }
    }

    @Test
    void publisherThatHasToTakeALockInATransactionIsRefused() {
        Mono<String> mono = service.mono(() -> Mono.just("ran")).contextWrite(transaction());
        assertThatIllegalStateException()
                .isThrownBy(() -> mono.block(BOUND))
                .withMessageContainingAll("Service.mono", "lock 'k'", "before the transaction commits", "was not run");
        Flux<String> flux = service.flux(() -> Flux.just("ran")).contextWrite(transaction());
        assertThatIllegalStateException().isThrownBy(() -> flux.blockLast(BOUND));
        assertThatIllegalStateException()
                .isThrownBy(() -> inATransactionOfThisThread(
                        () -> service.mono(() -> Mono.just("ran")).block(BOUND)));
        assertThatIllegalStateException()
                .isThrownBy(() -> inATransactionOfThisThread(
                        () -> service.flowable(() -> Flowable.just("ran")).blockingFirst()));
        assertThat(locker.events).isEmpty();
    }

    @Test
    void contextWithoutAnActualTransactionIsNoTransaction() {
        assertThat(service.mono(() -> Mono.just("ran"))
                        .contextWrite(TransactionContextManager.createTransactionContext())
                        .block(BOUND))
                .isEqualTo("ran");
    }

    @Test
    void publisherRunsAfterTheCommitOfAReactiveTransaction() {
        Mono<String> mono = service.mono(() -> Mono.just("ran")).contextWrite(committedTransaction());
        assertThat(mono.block(BOUND)).isEqualTo("ran");
    }

    @Test
    void publisherThatSharesALockTakenAroundTheTransactionRuns() {
        Mono<String> nested = Mono.defer(() -> service.mono(() -> Mono.just("ran")));
        assertThat(service.mono(() -> nested.contextWrite(transaction())).block(BOUND))
                .isEqualTo("ran");
        assertThat(service.blocking(() -> inATransactionOfThisThread(() -> nested.block(BOUND))))
                .isEqualTo("ran");
        assertThat(locker.events).containsExactly("lock k", "unlock k", "lock k", "unlock k");
    }

    @Test
    void bodyOfAMethodWithAPublisherSharesItsLockWithBlockingCalls() {
        assertThat(service.mono(() -> Mono.just(service.blocking(() -> "blocked")))
                        .block(BOUND))
                .isEqualTo("blocked");
        assertThat(service.flux(() -> Flux.just(service.stage().join())).blockLast(BOUND))
                .isEqualTo("staged");
        assertThat(service.flowable(() -> Flowable.just(service.blocking(() -> "blocked")))
                        .blockingFirst())
                .isEqualTo("blocked");
        assertThat(locker.events).containsExactly("lock k", "unlock k", "lock k", "unlock k", "lock k", "unlock k");
    }
}
