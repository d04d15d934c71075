package io.github.cassandralock.internal.steps;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import io.github.cassandralock.internal.store.RefusedRequestException;
import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attempt ends, and receives the reason once. A failed step is repeated every second, for ten seconds. */
class StepsTest {

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration A_LITTLE = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(10);

    private final RuntimeException failure = new IllegalStateException("on purpose");
    private final Error error = new NoClassDefFoundError("on purpose");
    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedProcess process = new SimulatedProcess(time, 1, Duration.ZERO);
    private final List<Throwable> ends = new ArrayList<>();
    private final List<String> results = new ArrayList<>();
    private final Steps steps = steps(new Mailbox(), process, PATIENCE);
    private int begun;

    private Steps steps(Executor executor, Timers timers, Duration patience) {
        return new Steps(executor, process, timers, RETRY, patience, ends::add);
    }

    private Supplier<CompletionStage<String>> succeeding(String result) {
        return counted(() -> CompletableFuture.completedFuture(result));
    }

    private Supplier<CompletionStage<String>> failing(Throwable cause) {
        return counted(() -> CompletableFuture.failedFuture(cause));
    }

    private Supplier<CompletionStage<String>> throwing(Throwable cause) {
        return counted(() -> {
            throwUnchecked(cause);
            return CompletableFuture.completedFuture("never");
        });
    }

    private <T> Supplier<T> counted(Supplier<T> operation) {
        return () -> {
            begun++;
            return operation.get();
        };
    }

    private static void throwUnchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) thrown;
    }

    @Test
    void stepGoesOnWithTheResultOfItsOperation() {
        steps.step(succeeding("one"), one -> {
            results.add(one);
            steps.step(succeeding("two"), results::add);
        });
        assertThat(results).containsExactly("one", "two");
        assertThat(ends).isEmpty();
    }

    @Test
    void operationThatFailsIsRepeatedAfterAPauseUntilItSucceeds() {
        steps.step(
                () -> begun < 3 ? failing(failure).get() : succeeding("at last").get(), results::add);
        time.run(RETRY.multipliedBy(3).minus(A_LITTLE));
        assertThat(results).isEmpty();
        time.run(RETRY.plus(A_LITTLE));
        assertThat(results).containsExactly("at last");
        assertThat(begun).isEqualTo(4);
        assertThat(ends).isEmpty();
    }

    @Test
    void operationThatFailsForTooLongEndsTheAttemptWithItsOwnFailure() {
        steps.step(failing(new CompletionException(failure)), results::add);
        time.run(PATIENCE.minus(A_LITTLE));
        assertThat(ends).isEmpty();
        time.run(LONG);
        assertThat(ends).containsExactly(failure);
        assertThat(begun).as("once, and once a second").isEqualTo(11);
    }

    @Test
    void patienceBeginsAnewAfterASuccess() {
        steps.step(
                () -> begun < 9 ? failing(failure).get() : succeeding("at last").get(),
                done -> steps.step(failing(failure), results::add));
        time.run(Duration.ofSeconds(18));
        assertThat(ends).as("9 s after the first failure in a row").isEmpty();
        time.run(Duration.ofSeconds(2));
        assertThat(ends).containsExactly(failure);
    }

    @Test
    void firstFailureEndsAnAttemptWithoutPatience() {
        steps(new Mailbox(), process, Duration.ZERO).step(failing(failure), results::add);
        assertThat(ends).containsExactly(failure);
        time.run(LONG);
        assertThat(begun).isEqualTo(1);
    }

    @Test
    void operationThatThrowsIsRepeatedLikeOneThatFails() {
        steps.step(
                () -> begun < 1
                        ? throwing(failure).get()
                        : succeeding("at last").get(),
                results::add);
        time.run(RETRY.plus(A_LITTLE));
        assertThat(results).containsExactly("at last");
    }

    static Stream<Named<Throwable>> failuresThatNoRepetitionMends() {
        Error error = new NoClassDefFoundError("on purpose");
        RefusedRequestException refusal =
                new RefusedRequestException("no such table", new IllegalStateException("on purpose"));
        return Stream.of(
                Named.of("an error", error),
                Named.of("an error of another thread", new CompletionException(error)),
                Named.of("a refusal", refusal),
                Named.of("what a refusal caused", new IllegalStateException("no session", refusal)));
    }

    @ParameterizedTest
    @MethodSource("failuresThatNoRepetitionMends")
    void failureThatRepetitionCannotChangeEndsTheAttemptAtOnce(Throwable cause) {
        steps.step(failing(cause), results::add);
        assertThat(ends).singleElement().isIn(cause, cause.getCause());
        time.run(LONG);
        assertThat(begun).isEqualTo(1);
    }

    @Test
    void errorThatAnOperationThrowsEndsTheAttempt() {
        steps.step(throwing(error), results::add);
        assertThat(ends).containsExactly(error);
    }

    @Test
    void operationWithoutAStageEndsTheAttempt() {
        @SuppressWarnings("NullAway") // what a store should never do
        Supplier<CompletionStage<String>> broken = () -> null;
        steps.step(broken, results::add);
        assertThat(ends).singleElement().isInstanceOf(NullPointerException.class);
    }

    static Stream<Named<Throwable>> exceptionsAndErrors() {
        return Stream.of(
                Named.of("an exception", new IllegalStateException("on purpose")),
                Named.of("an error", new NoClassDefFoundError("on purpose")));
    }

    @ParameterizedTest
    @MethodSource("exceptionsAndErrors")
    void stepThatThrowsEndsTheAttempt(Throwable thrown) {
        steps.step(succeeding("one"), one -> throwUnchecked(thrown));
        assertThat(ends).containsExactly(thrown);
        time.run(LONG);
        assertThat(begun).as("operations: a step that throws is not repeated").isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("exceptionsAndErrors")
    void stepThatThrowsAfterAPauseEndsTheAttempt(Throwable thrown) {
        steps.pauseThen(RETRY, () -> throwUnchecked(thrown));
        time.run(RETRY.plus(A_LITTLE));
        assertThat(ends).containsExactly(thrown);
    }

    @Test
    void stepThatThrowsAfterItHasBegunTheNextOneEndsTheAttemptOnceAndForAll() {
        steps.step(succeeding("one"), one -> {
            steps.step(failing(failure), results::add);
            throwUnchecked(error);
        });
        assertThat(ends).containsExactly(error);
        time.run(LONG);
        steps.abandon();
        steps.step(succeeding("two"), results::add);
        assertThat(ends).as("the reasons that the attempt received").containsExactly(error);
        assertThat(begun).as("operations").isEqualTo(2);
        assertThat(results).isEmpty();
    }

    static Stream<Named<Timers>> brokenTimers() {
        return Stream.of(
                Named.of("that fail", delay -> CompletableFuture.failedFuture(new IllegalStateException("no timer"))),
                Named.of("that throw", delay -> {
                    throw new IllegalStateException("no timer");
                }));
    }

    @ParameterizedTest
    @MethodSource("brokenTimers")
    void timersThatFailEndAnAttemptThatPauses(Timers broken) {
        steps(new Mailbox(), broken, PATIENCE).pauseThen(RETRY, () -> results.add("never"));
        assertThat(ends).singleElement().hasToString("java.lang.IllegalStateException: no timer");
        assertThat(results).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("brokenTimers")
    void timersThatFailEndAnAttemptThatWouldRepeatAStep(Timers broken) {
        steps(new Mailbox(), broken, PATIENCE).step(failing(failure), results::add);
        assertThat(ends).singleElement().hasToString("java.lang.IllegalStateException: no timer");
    }

    @Test
    void executorThatRefusesATaskEndsTheAttempt() {
        Executor closed = task -> {
            throw new RejectedExecutionException("closed");
        };
        steps(closed, process, PATIENCE).step(succeeding("one"), results::add);
        assertThat(ends).singleElement().isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void abandonedAttemptEndsItsPauseAndReceivesTheReasonOnce() {
        steps.pauseThen(LONG, () -> results.add("never"));
        steps.abandon();
        assertThat(ends).singleElement().isInstanceOf(CancellationException.class);
        steps.abandon();
        time.run(LONG);
        assertThat(ends).hasSize(1);
        assertThat(results).isEmpty();
    }

    @Test
    void abandonedAttemptEndsAfterTheCurrentOperation() {
        CompletableFuture<String> underWay = new CompletableFuture<>();
        steps.step(() -> underWay, results::add);
        steps.abandon();
        assertThat(ends).isEmpty();
        underWay.complete("too late");
        assertThat(ends).singleElement().isInstanceOf(CancellationException.class);
        assertThat(results).isEmpty();
    }

    @Test
    void attemptThatIsAbandonedBetweenStepsBeginsNoFurtherOne() {
        steps.abandon();
        steps.step(succeeding("never"), results::add);
        steps.pauseThen(RETRY, () -> results.add("never"));
        time.run(LONG);
        assertThat(begun).isZero();
        assertThat(results).isEmpty();
        assertThat(ends).singleElement().isInstanceOf(CancellationException.class);
    }

    @Test
    void attemptThatIsAbandonedWhileItsTimerIsCreatedDoesNotPause() {
        List<Runnable> meanwhile = new ArrayList<>();
        Steps raced = steps(
                new Mailbox(),
                delay -> {
                    meanwhile.forEach(Runnable::run);
                    return process.after(delay);
                },
                PATIENCE);
        meanwhile.add(raced::abandon);
        raced.pauseThen(LONG, () -> results.add("never"));
        assertThat(ends).singleElement().isInstanceOf(CancellationException.class);
    }

    @Test
    void attemptThatIsWokenContinuesAtOnce() {
        Consumer<String> pausing = one -> steps.pauseThen(LONG, () -> results.add("awake"));
        steps.step(succeeding("one"), pausing);
        assertThat(results).isEmpty();
        steps.wake();
        assertThat(results).containsExactly("awake");
        assertThat(ends).isEmpty();
    }
}
