package io.github.cassandralock.internal.aop;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.LockLostException;
import io.github.cassandralock.LockMode;
import io.github.cassandralock.LockStoreException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Methods that run once for each period, with every kind of result. Costs half a second. Catches a period that is recorded although its
 * work has not completed, or after the release, and one that is not recorded without an exception.
 */
class OnceForTest {

    private static final LocalDate TODAY = LocalDate.of(2026, 9, 30);
    private static final List<String> RECORDED = List.of("lock billing", "record 2026-09-30", "unlock billing");
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final AspectContext spring = AspectContext.of(Jobs.class);
    private final InMemoryLocker locker = spring.locker();
    private final Jobs jobs = spring.bean(Jobs.class);
    private final SkipLog log = new SkipLog();

    public static class Clock {

        @Nullable
        public Object today = TODAY;

        int runs;
        CompletableFuture<String> stage = CompletableFuture.completedFuture("done");
        Sinks.One<String> sink = Sinks.one();
    }

    static class Jobs {

        private final Clock clock = new Clock();

        @Autowired
        @Lazy
        @Nullable
        Jobs self;

        public Clock getClock() {
            return clock;
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public String bill() {
            return "run " + ++clock.runs;
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public Optional<String> billOptional() {
            return Optional.of(bill());
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public void fail() {
            throw new IllegalArgumentException("disk full");
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public void losing(InMemoryLocker locker) {
            locker.lose("billing");
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public CompletableFuture<String> billStage() {
            return clock.stage.thenApply(done -> bill());
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public Mono<String> billMono() {
            return clock.sink.asMono().map(done -> bill());
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public Mono<String> billBeforeReturning() {
            return Mono.just(bill());
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public Flux<String> billFlux() {
            return Flux.just("a", "b").doOnSubscribe(begun -> clock.runs++);
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today")
        public Object billObject() {
            return Mono.fromSupplier(this::bill);
        }

        @DistributedLock(key = "{'billing', 'mailing'}", onceFor = "#root.target.clock.today")
        public void billSeveral() {
            clock.runs++;
        }

        @DistributedLock(key = "'billing'")
        public @Nullable String billNested() {
            return requireNonNull(self).bill();
        }

        @DistributedLock(key = "'billing'", onceFor = "#year * 12 + #month + #offset")
        public @Nullable Boolean billMonth(int year, int month, long offset) {
            return ++clock.runs > 0;
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today", strategy = Strategy.GET_LOCK)
        public OptionalInt countOptional() {
            return OptionalInt.of(++clock.runs);
        }

        @DistributedLock(key = "'billing'", onceFor = "#root.target.clock.today", holdAtLeast = "1s", holdAtMost = "5s")
        public void billWithTimes() {
            clock.runs++;
        }
    }

    /** Behind a proxy of an interface, the method that is called declares {@code Object}. */
    interface Task<T> {

        T run();
    }

    static class OptionalTask implements Task<Optional<String>> {

        @Override
        @DistributedLock(key = "'task'", onceFor = "1")
        public Optional<String> run() {
            return Optional.of("done");
        }
    }

    static class StageTask implements Task<CompletableFuture<String>> {

        @Override
        @DistributedLock(key = "'stage'", onceFor = "1")
        public CompletableFuture<String> run() {
            return CompletableFuture.completedFuture("done");
        }
    }

    @AfterEach
    void close() {
        log.close();
        spring.close();
    }

    private void passDays(int days) {
        jobs.getClock().today = TODAY.plusDays(days);
    }

    private int runs() {
        return jobs.getClock().runs;
    }

    @Test
    void methodRunsOnceForEachPeriodAndRecordsItBeforeTheRelease() {
        assertThat(jobs.bill()).isEqualTo("run 1");
        assertThat(locker.events).containsExactly("lock billing", "record 2026-09-30", "unlock billing");
        assertThat(jobs.bill()).as("a skipped run").isNull();
        passDays(-1);
        assertThat(jobs.bill()).as("a clock that is behind").isNull();
        passDays(1);
        assertThat(jobs.bill()).isEqualTo("run 2");
        assertThat(locker.lastPeriod("billing")).contains(TODAY.plusDays(1));
        assertThat(log.lines()).hasSize(1);
        assertThat(log.lines().get(0)).contains("[INFO]", "2026-09-30", "'billing'", "Jobs.bill", "not run");
    }

    @Test
    void skippedRunReleasesTheLockAndHasAnEmptyResult() {
        jobs.bill();
        assertThat(jobs.billOptional()).isEmpty();
        assertThat(jobs.billStage()).isCompletedWithValue(null);
        jobs.billWithTimes();
        assertThat(runs()).isEqualTo(1);
        assertThat(locker.events.stream().filter("lock billing"::equals)).hasSize(4);
        assertThat(locker.events.stream().filter("unlock billing"::equals)).hasSize(4);
    }

    @Test
    void skippedRunOfAnOptionalNumberIsEmpty() {
        assertThat(jobs.countOptional()).hasValue(1);
        assertThat(jobs.countOptional()).isEmpty();
    }

    @Test
    void skippedRunBehindAGenericInterfaceHasTheResultOfItsClass() {
        try (AspectContext interfaces = AspectContext.of(false, Map.of(), OptionalTask.class, StageTask.class)) {
            Task<?> optional = interfaces.context().getBean("onceForTest.OptionalTask", Task.class);
            Task<?> stage = interfaces.context().getBean("onceForTest.StageTask", Task.class);
            assertThat(optional.run()).isEqualTo(Optional.of("done"));
            assertThat(optional.run()).isEqualTo(Optional.empty());
            assertThat(stage.run()).isInstanceOf(CompletableFuture.class);
            assertThat((CompletableFuture<?>) stage.run()).isCompletedWithValue(null);
        }
    }

    @Test
    void periodMayBeASumOfNumbers() {
        assertThat(jobs.billMonth(2026, 12, 0)).isTrue();
        assertThat(locker.lastPeriod("billing")).contains(2026L * 12 + 12);
    }

    @Test
    void failedRunIsNotRecordedAndRunsAgain() {
        assertThatIllegalArgumentException().isThrownBy(jobs::fail).withMessage("disk full");
        assertThat(locker.lastPeriod("billing")).isEmpty();
        assertThat(jobs.bill()).isEqualTo("run 1");
    }

    @Test
    void runThatLosesItsLockIsNotRecorded() {
        assertThatThrownBy(() -> jobs.losing(locker)).isInstanceOf(LockLostException.class);
        assertThat(locker.lastPeriod("billing")).isEmpty();
    }

    @Test
    void recordThatFailsIsAnExceptionOfEachKindOfCall() {
        locker.failRecords(new LockStoreException("billing", "it may not be recorded", new IllegalStateException()));
        jobs.getClock().sink.tryEmitValue("done");
        assertThatThrownBy(jobs::bill).isInstanceOf(LockStoreException.class);
        assertThat(jobs.billStage())
                .failsWithin(BOUND)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> jobs.billMono().block()).isInstanceOf(LockStoreException.class);
        assertThatThrownBy(() -> jobs.billFlux().blockLast()).isInstanceOf(LockStoreException.class);
        assertThat(locker.events.stream().filter("unlock billing"::equals)).hasSize(4);
    }

    @Test
    void stageIsRecordedWhenItCompletes() {
        jobs.getClock().stage = new CompletableFuture<>();
        CompletableFuture<String> result = jobs.billStage();
        assertThat(locker.events).containsExactly("lock billing");
        jobs.getClock().stage.complete("done");
        assertThat(result).succeedsWithin(BOUND).isEqualTo("run 1");
        assertThat(locker.events).containsExactlyElementsOf(RECORDED);
    }

    @Test
    void stageThatFailsIsNotRecorded() {
        jobs.getClock().stage = CompletableFuture.failedFuture(new IllegalArgumentException("disk full"));
        assertThat(jobs.billStage()).failsWithin(BOUND);
        assertThat(locker.events).containsExactly("lock billing", "unlock billing");
    }

    @Test
    void publisherIsRecordedWhenItCompletesAndEachSubscriptionHasItsPeriod() {
        jobs.getClock().sink.tryEmitValue("done");
        Mono<String> mono = jobs.billMono();
        assertThat(locker.events).isEmpty();
        assertThat(mono.block()).isEqualTo("run 1");
        assertThat(locker.events).containsExactlyElementsOf(RECORDED);
        assertThat(mono.block()).isNull();
        passDays(1);
        assertThat(mono.block()).as("another subscription, on the next day").isEqualTo("run 2");
        assertThat(jobs.billFlux().collectList().block()).isEmpty();
        passDays(2);
        assertThat(jobs.billFlux().collectList().block()).containsExactly("a", "b");
        assertThat(locker.lastPeriod("billing")).contains(TODAY.plusDays(2));
    }

    @Test
    void methodThatWorksBeforeItReturnsAPublisherRunsOnceForEachPeriod() {
        assertThat(jobs.billBeforeReturning().block()).isEqualTo("run 1");
        assertThat(jobs.billBeforeReturning().block()).isNull();
        assertThat(jobs.getClock().runs).isEqualTo(1);
    }

    @Test
    void publisherThatIsCancelledOrFailsIsNotRecorded() {
        jobs.billMono().subscribe().dispose();
        assertThat(jobs.billFlux().take(1).collectList().block()).containsExactly("a");
        jobs.getClock().sink.tryEmitError(new IllegalArgumentException("disk full"));
        assertThatIllegalArgumentException().isThrownBy(() -> jobs.billMono().block());
        assertThat(locker.lastPeriod("billing")).isEmpty();
    }

    @Test
    void publisherOfAMethodThatReturnsAnObjectIsRecordedWhenItCompletes() {
        Mono<?> result = (Mono<?>) jobs.billObject();
        assertThat(locker.lastPeriod("billing")).isEmpty();
        assertThat(result.block()).isEqualTo("run 1");
        assertThat(locker.lastPeriod("billing")).contains(TODAY);
    }

    @Test
    void nestedCallRecordsItsPeriodUnderTheOuterLock() {
        assertThat(jobs.billNested()).isEqualTo("run 1");
        assertThat(locker.events).containsExactlyElementsOf(RECORDED);
        assertThat(jobs.billNested()).isNull();
    }

    @Test
    void expressionThatGivesNoPeriodIsRefusedBeforeTheLock() {
        jobs.getClock().today = null;
        assertThatIllegalArgumentException()
                .isThrownBy(jobs::bill)
                .withMessageContainingAll("onceFor \"#root.target.clock.today\"", "Jobs.bill", "is null");
        jobs.getClock().today = 1.5;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> jobs.billMono().block())
                .withMessageContainingAll("Jobs.billMono", "java.lang.Double");
        assertThat(locker.events).isEmpty();
    }

    @Test
    void severalLocksAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(jobs::billSeveral)
                .withMessageContainingAll("onceFor", "Jobs.billSeveral", "several locks");
        assertThat(locker.events).isEmpty();
    }

    @Test
    void callInATransactionOfItsCallerIsRefused() {
        TransactionSynchronizationManager.setActualTransactionActive(true);
        TransactionSynchronizationManager.initSynchronization();
        try {
            assertThatIllegalStateException()
                    .isThrownBy(jobs::bill)
                    .withMessageContainingAll("Jobs.bill", "onceFor", "may roll back");
        } finally {
            TransactionSynchronizationManager.clear();
        }
        Mono<String> inTransaction = jobs.billMono().contextWrite(PublishersInTransactionsTest.transaction());
        assertThatIllegalStateException().isThrownBy(inTransaction::block).withMessageContaining("may roll back");
        assertThat(locker.events).isEmpty();
    }

    static class Soft {
        @DistributedLock(key = "'k'", onceFor = "1", strategy = Strategy.TRY_GET_LOCK)
        public void run() {}
    }

    static class Reader {
        @DistributedLock(key = "'k'", onceFor = "1", mode = LockMode.PROTECTED_READ)
        public void run() {}
    }

    static class Primitive {
        @DistributedLock(key = "'k'", onceFor = "1")
        public int run() {
            return 1;
        }
    }

    static class OwnStage extends CompletableFuture<String> {}

    static class ReturnsItsOwnStage {
        @DistributedLock(key = "'k'", onceFor = "1")
        public OwnStage run() {
            return new OwnStage();
        }
    }

    static class Unknown {
        @DistributedLock(key = "'k'", onceFor = "#day")
        public void run() {}
    }

    static class NoExpression {
        @DistributedLock(key = "'k'", onceFor = "T(")
        public void run() {}
    }

    @DistributedLock(key = "'k'", onceFor = "1")
    static class WholeClass {
        public void run() {}
    }

    private static void assertRefused(Class<?> component, String... mentions) {
        assertThatThrownBy(() -> AspectContext.of(component).close())
                .hasStackTraceContaining(component.getSimpleName())
                .satisfies(failure -> assertThat(failure).rootCause().hasMessageContainingAll(mentions));
    }

    @Test
    void combinationsWithoutAPeriodOfTheirOwnAreRefusedAtStartup() {
        assertRefused(Soft.class, "onceFor", "TRY_GET_LOCK");
        assertRefused(Reader.class, "onceFor", "PROTECTED_READ");
        assertRefused(Primitive.class, "int");
        assertRefused(ReturnsItsOwnStage.class, "onceFor", "OwnStage", "before the period is recorded");
        assertRefused(Unknown.class, "onceFor \"#day\"", "#day");
        assertRefused(WholeClass.class, "onceFor", "share one period");
        assertThatThrownBy(() -> AspectContext.of(NoExpression.class).close())
                .hasStackTraceContaining("onceFor \"T(\"")
                .hasStackTraceContaining("is not a SpEL expression");
    }

    @Test
    void algorithmWithoutValuesIsRefusedAtStartup() throws Exception {
        LockOperations operations = AspectContext.operations(new DefaultListableBeanFactory());
        operations.find(Jobs.class.getMethod("bill"), Jobs.class);
        assertThatIllegalStateException()
                .isThrownBy(() -> operations.requireSupport(
                        locker -> Optional.of(new AlgorithmSupport("queue", mode -> true, false, false))))
                .withMessageContainingAll("Jobs.bill", "onceFor", "'queue'", "'ticket'");
        operations.requireSupport(locker -> Optional.of(new AlgorithmSupport("ticket", mode -> true, true, true)));
    }
}
