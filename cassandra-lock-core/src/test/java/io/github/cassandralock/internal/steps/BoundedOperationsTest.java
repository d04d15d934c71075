package io.github.cassandralock.internal.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many operations are under way, in which order, and that no end of one nests in another. */
class BoundedOperationsTest {

    private static final int MANY = BoundedOperations.MOST + 3;
    private static final int VERY_MANY = 100_000;

    private final BoundedOperations operations = new BoundedOperations();

    /** The operations that have begun, in their order. */
    private final List<CompletableFuture<Integer>> begun = new ArrayList<>();

    private CompletableFuture<Integer> operation() {
        CompletableFuture<Integer> operation = new CompletableFuture<>();
        begun.add(operation);
        return operation;
    }

    @Test
    void boundedNumberIsUnderWayAndEachEndBeginsTheNext() {
        List<CompletableFuture<Integer>> results = IntStream.range(0, MANY)
                .mapToObj(number -> operations.add(this::operation))
                .toList();
        assertThat(begun).as("before the begin").isEmpty();
        operations.begin();
        assertThat(begun).hasSize(BoundedOperations.MOST);
        begun.get(7).complete(7);
        begun.get(1).completeExceptionally(new IllegalStateException("on purpose"));
        assertThat(begun).hasSize(BoundedOperations.MOST + 2);
        assertThat(results.get(7)).isCompletedWithValue(7);
        assertThat(results.get(1)).isCompletedExceptionally();
        for (int number = 0; number < begun.size(); number++) {
            begun.get(number).complete(number);
        }
        assertThat(begun).hasSize(MANY);
        assertThat(results).allMatch(CompletableFuture::isDone);
        operations.begin(this::operation);
        assertThat(begun).as("with one after all have ended").hasSize(MANY + 1);
    }

    @Test
    void operationThatThrowsHasEnded() {
        IntStream.range(0, MANY)
                .mapToObj(number -> operations.<Integer>add(() -> {
                    throw new IllegalStateException("on purpose");
                }))
                .forEach(failed -> assertThat(failed).isNotDone());
        CompletableFuture<Integer> last = operations.begin(this::operation);
        assertThat(begun).hasSize(1);
        begun.get(0).complete(5);
        assertThat(last).isCompletedWithValue(5);
    }

    @Test
    void veryManyThatEndAtOnceAreNotNested() {
        AtomicInteger ended = new AtomicInteger();
        List<CompletableFuture<Integer>> results = IntStream.range(0, VERY_MANY)
                .mapToObj(number -> operations.add(() -> CompletableFuture.completedFuture(ended.incrementAndGet())))
                .toList();
        operations.begin();
        assertThat(results).allMatch(result -> result.isDone() && !result.isCompletedExceptionally());
    }

    @Test
    void veryManyAfterOneThatEndsLaterAreNotNested() {
        IntStream.range(0, BoundedOperations.MOST).forEach(number -> operations.begin(this::operation));
        AtomicInteger ended = new AtomicInteger();
        for (int number = 0; number < VERY_MANY; number++) {
            operations.begin(() -> CompletableFuture.completedFuture(ended.incrementAndGet()));
        }
        assertThat(ended).hasValue(0);
        begun.get(0).complete(0);
        assertThat(ended).hasValue(VERY_MANY);
    }

    @Test
    void cancelledOperationsNeverBegin() {
        List<CompletableFuture<Integer>> results = IntStream.range(0, MANY)
                .mapToObj(number -> operations.begin(this::operation))
                .toList();
        operations.cancelWaiting();
        begun.get(0).complete(0);
        assertThat(begun).hasSize(BoundedOperations.MOST);
        assertThat(results.get(0)).isCompletedWithValue(0);
        assertThatThrownBy(() -> results.get(MANY - 1).join()).isInstanceOf(CancellationException.class);
    }

    /** The operations end on four threads, before, while and after they begin. */
    @Test
    void noneIsForgottenHoweverThreadsCross() {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicInteger underWay = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        CompletableFuture<?>[] results = IntStream.range(0, VERY_MANY)
                .mapToObj(number -> operations.begin(() -> {
                    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    return CompletableFuture.supplyAsync(
                            () -> {
                                underWay.decrementAndGet();
                                return ended.incrementAndGet();
                            },
                            threads);
                }))
                .toArray(CompletableFuture<?>[]::new);
        assertThat(CompletableFuture.allOf(results)).succeedsWithin(1, TimeUnit.MINUTES);
        threads.shutdown();
        assertThat(ended).hasValue(VERY_MANY);
        assertThat(most.get()).isLessThanOrEqualTo(BoundedOperations.MOST);
    }
}
