package io.github.cassandralock.internal.aop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.cassandralock.DistributedLock;
import io.github.cassandralock.DistributedLock.Strategy;
import io.github.cassandralock.DistributedLock.WhenBusy;
import io.github.cassandralock.LockMode;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.core.annotation.AliasFor;

/** What contradicts itself is refused when the application starts. */
class AnnotationMistakesTest {

    static class NoKey {
        @DistributedLock
        public void run() {}
    }

    static class NoExpression {
        @DistributedLock(key = "'account:' + ")
        public void run() {}
    }

    static class NoDuration {
        @DistributedLock(key = "'k'", timeout = "soon")
        public void run() {}
    }

    static class NoTime {
        @DistributedLock(key = "'k'", timeout = "0s")
        public void run() {}
    }

    static class NoMinimum {
        @DistributedLock(key = "'k'", holdAtLeast = "always")
        public void run() {}
    }

    static class NegativeMinimum {
        @DistributedLock(key = "'k'", holdAtLeast = "-1s")
        public void run() {}
    }

    static class MinimumOfDays {
        @DistributedLock(key = "'k'", holdAtLeast = "25h")
        public void run() {}
    }

    static class NoBound {
        @DistributedLock(key = "'k'", holdAtMost = "0s")
        public void run() {}
    }

    static class BoundBelowTheMinimum {
        @DistributedLock(key = "'k'", holdAtLeast = "10s", holdAtMost = "9s")
        public void run() {}
    }

    static class SoftWithTimeout {
        @DistributedLock(key = "'k'", timeout = "5s", strategy = Strategy.TRY_GET_LOCK)
        public void run() {}
    }

    static class SkippedPrimitive {
        @DistributedLock(key = "'k'", strategy = Strategy.TRY_GET_LOCK)
        public int run() {
            return 1;
        }
    }

    static class Private {
        @DistributedLock(key = "'k'")
        @SuppressWarnings({"unused", "UnusedMethod"}) // found by reflection
        private void run() {}
    }

    static class Final {
        @DistributedLock(key = "'k'")
        public final void run() {}
    }

    static class FinalBesideAPublicOne {
        @DistributedLock(key = "'k'")
        public void alpha() {}

        @DistributedLock(key = "'k'")
        public void middle() {}

        @DistributedLock(key = "'k'")
        public void omega() {}

        @DistributedLock(key = "'k'")
        public void zulu() {}

        @DistributedLock(key = "'k'")
        public void goesFirst() {}

        @DistributedLock(key = "'k'")
        public final void run() {}
    }

    static class PrivateBesideAPublicOne {
        @DistributedLock(key = "'k'")
        public void alpha() {}

        @DistributedLock(key = "'k'")
        public void middle() {}

        @DistributedLock(key = "'k'")
        public void omega() {}

        @DistributedLock(key = "'k'")
        public void zulu() {}

        @DistributedLock(key = "'k'")
        public void goesFirst() {}

        @DistributedLock(key = "'k'")
        @SuppressWarnings({"unused", "UnusedMethod"}) // found by reflection
        private void run() {}
    }

    static class StaticBesideAPublicOne {
        @DistributedLock(key = "'k'")
        public void alpha() {}

        @DistributedLock(key = "'k'")
        public void middle() {}

        @DistributedLock(key = "'k'")
        public void omega() {}

        @DistributedLock(key = "'k'")
        public void zulu() {}

        @DistributedLock(key = "'k'")
        public void goesFirst() {}

        @DistributedLock(key = "'k'")
        public static void run() {}
    }

    @DistributedLock(key = "'k'")
    static class FinalInAnAnnotatedClass {
        public void goesFirst() {}

        public final void run() {}
    }

    @DistributedLock(key = "'k'")
    static class StaticInAnAnnotatedClass {
        public static void notOfTheBean() {}

        public void run() {}
    }

    static class UnknownVariable {
        @DistributedLock(key = "'k:' + #ide")
        public void run(String id) {}
    }

    static class UnknownVariableInATemplate {
        @DistributedLock(key = "k:#{#ide.length()}")
        public void run(String id) {}
    }

    static class CenturiesOfPatience {
        @DistributedLock(key = "'k'", timeout = "200000d")
        public CompletableFuture<Void> run() {
            return CompletableFuture.completedFuture(null);
        }
    }

    static class LazyResult {
        @DistributedLock(key = "'k'")
        public Stream<String> run() {
            return Stream.of("later");
        }
    }

    static class TimeoutWithoutUnit {
        @DistributedLock(key = "'k'", timeout = "5")
        public void run() {}
    }

    static class MinimumWithoutUnit {
        @DistributedLock(key = "'k'", holdAtLeast = "${at-least:30}")
        public void run() {}
    }

    static class MinimumOfZero {
        @DistributedLock(key = "'k'", holdAtLeast = "0")
        public void run() {}
    }

    @Test
    void durationWithoutAUnitIsRefused() {
        assertRefused(TimeoutWithoutUnit.class, "timeout \"5\"", "no unit", "\"5s\"");
        assertRefused(MinimumWithoutUnit.class, "holdAtLeast \"30\"", "no unit", "\"30s\"");
        assertThatCode(() -> AspectContext.of(MinimumOfZero.class).close()).doesNotThrowAnyException();
    }

    @Test
    void longestTimeOutsideItsBoundsIsRefused() {
        assertRefused(NoBound.class, "holdAtMost \"0s\"", "one millisecond");
        assertRefused(BoundBelowTheMinimum.class, "holdAtMost \"9s\"", "not shorter than holdAtLeast");
    }

    interface Runs {
        void run();
    }

    /** A class proxy passes a final method by, interface or not. */
    static class FinalBehindAnInterface implements Runs {
        @Override
        @DistributedLock(key = "'k'")
        public final void run() {}
    }

    private static void assertRefused(Class<?> component, String... mentions) {
        assertThatThrownBy(() -> AspectContext.of(component).close())
                .rootCause()
                .hasMessageContainingAll(mentions)
                .hasMessageContaining(component.getSimpleName() + ".run");
    }

    @Test
    void aMethodWithoutAKeyIsRefused() {
        assertRefused(NoKey.class, "no key");
    }

    static class BlankKey {
        @DistributedLock(key = " ")
        public void run() {}
    }

    static class BlankKeyBesideAGenerator {
        @DistributedLock(key = "${none:}", keyGenerator = "generator")
        public void run() {}
    }

    static class BlankGenerator {
        @DistributedLock(key = "'k'", keyGenerator = "${none:}")
        public void run() {}
    }

    static class BlankPeriod {
        @DistributedLock(key = "'k'", onceFor = "${none:}")
        public void run() {}
    }

    static class PeriodOfASpace {
        @DistributedLock(key = "'k'", onceFor = " ")
        public void run() {}
    }

    static class BlankTimeout {
        @DistributedLock(key = "'k'", timeout = "${none:}")
        public void run() {}
    }

    static class BlankMinimum {
        @DistributedLock(key = "'k'", holdAtLeast = "${none: }")
        public void run() {}
    }

    static class BlankMaximum {
        @DistributedLock(key = "'k'", holdAtMost = "${none:}")
        public void run() {}
    }

    @Test
    void attributeThatIsBlankWhenItsPlaceholdersAreReplacedIsRefused() {
        assertRefused(BlankKey.class, "key \" \"", "is blank");
        assertRefused(BlankKeyBesideAGenerator.class, "key \"${none:}\"", "is blank");
        assertRefused(BlankGenerator.class, "keyGenerator \"${none:}\"", "is blank");
        assertRefused(BlankPeriod.class, "onceFor \"${none:}\"", "is blank");
        assertRefused(PeriodOfASpace.class, "onceFor \" \"", "is blank");
        assertRefused(BlankTimeout.class, "timeout \"${none:}\"", "is blank");
        assertRefused(BlankMinimum.class, "holdAtLeast \"${none: }\"", "is blank");
        assertRefused(BlankMaximum.class, "holdAtMost \"${none:}\"", "is blank");
    }

    @Test
    void aKeyThatIsNoExpressionIsRefused() {
        assertThatThrownBy(() -> AspectContext.of(NoExpression.class).close())
                .hasStackTraceContaining("NoExpression.run")
                .hasStackTraceContaining("is not a SpEL expression");
    }

    @Test
    void aTimeoutThatIsNoDurationIsRefused() {
        assertThatThrownBy(() -> AspectContext.of(NoDuration.class).close())
                .hasStackTraceContaining("NoDuration.run")
                .hasStackTraceContaining("\"soon\"");
    }

    @Test
    void aTimeoutOfZeroIsRefused() {
        assertRefused(NoTime.class, "\"0s\"", "more than zero");
    }

    @Test
    void aMinimumTimeThatIsNoDurationIsRefused() {
        assertThatThrownBy(() -> AspectContext.of(NoMinimum.class).close())
                .hasStackTraceContaining("NoMinimum.run")
                .hasStackTraceContaining("holdAtLeast \"always\"");
    }

    @Test
    void aMinimumTimeOutsideItsBoundsIsRefused() {
        assertRefused(NegativeMinimum.class, "holdAtLeast \"-1s\"", "from zero to 24 hours");
        assertRefused(MinimumOfDays.class, "holdAtLeast \"25h\"", "from zero to 24 hours");
    }

    @Test
    void aTimeoutOfASoftAttemptIsRefused() {
        assertRefused(SoftWithTimeout.class, "TRY_GET_LOCK never waits");
    }

    static class SoftWithTimeoutThatIsEmpty {
        @DistributedLock(key = "'k'", timeout = "${none:}", strategy = Strategy.TRY_GET_LOCK)
        public void run() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DistributedLock(key = "'k'", strategy = Strategy.TRY_GET_LOCK)
    @interface Soft {
        @AliasFor(annotation = DistributedLock.class)
        String timeout() default "";
    }

    static class ComposedWithTimeout {
        @Soft(timeout = "5s")
        public void run() {}
    }

    @DistributedLock(key = "'k'", timeout = "5s", strategy = Strategy.TRY_GET_LOCK)
    static class Base {
        public void run() {}
    }

    static class InheritedWithTimeout extends Base {}

    static class WaitingWithWhenBusy {
        @DistributedLock(key = "'k'", whenBusy = WhenBusy.THROW)
        public void run() {}
    }

    static class WaitingForNothing {
        @DistributedLock(key = "'k'", mode = LockMode.NULL, timeout = "5s")
        public void run() {}
    }

    static class TryingWhatIsNeverTaken {
        @DistributedLock(key = "'k'", mode = LockMode.NULL, strategy = Strategy.TRY_GET_LOCK)
        public void run() {}
    }

    static class HoldingWhatKeepsNobodyOut {
        @DistributedLock(key = "'k'", mode = LockMode.NULL, holdAtLeast = "5s")
        public void run() {}
    }

    static class ComposedAndDirect {
        @Soft
        @DistributedLock(key = "'other'")
        public void run() {}
    }

    @Soft
    @DistributedLock(key = "'other'")
    static class ComposedAndDirectOnTheClass {
        public void run() {}
    }

    @DistributedLock(key = "'other'")
    static class MethodOverridesItsClass {
        @Soft
        public void run() {}
    }

    @Test
    void timeoutOfASoftAttemptIsRefusedWhereverItIsWritten() {
        assertRefused(SoftWithTimeoutThatIsEmpty.class, "\"${none:}\"", "TRY_GET_LOCK never waits");
        assertRefused(ComposedWithTimeout.class, "TRY_GET_LOCK never waits");
        assertRefused(InheritedWithTimeout.class, "TRY_GET_LOCK never waits");
    }

    @Test
    void whenBusyOfACallThatWaitsIsRefused() {
        assertRefused(WaitingWithWhenBusy.class, "whenBusy = THROW", "remove whenBusy or use TRY_GET_LOCK");
    }

    @Test
    void modeThatExcludesNobodyHasNoStrategyTimeoutOrMinimum() {
        assertRefused(WaitingForNothing.class, "mode NULL");
        assertRefused(TryingWhatIsNeverTaken.class, "mode NULL");
        assertRefused(HoldingWhatKeepsNobodyOut.class, "mode NULL");
    }

    @Test
    void severalAnnotationsOnOneElementAreRefused() {
        assertRefused(ComposedAndDirect.class, "stands several times on");
        assertRefused(ComposedAndDirectOnTheClass.class, "stands several times on");
        assertThatCode(() -> AspectContext.of(MethodOverridesItsClass.class).close())
                .doesNotThrowAnyException();
    }

    @Test
    void skippingAMethodThatReturnsAPrimitiveIsRefused() {
        assertRefused(SkippedPrimitive.class, "int", "whenBusy = THROW");
    }

    @Test
    void methodThatNoProxySeesIsRefused() {
        assertRefused(Private.class, "private");
        assertRefused(Final.class, "final");
    }

    @Test
    void methodThatNoProxySeesIsRefusedBesideOneThatProxiesSee() {
        assertRefused(PrivateBesideAPublicOne.class, "private");
        assertRefused(FinalBesideAPublicOne.class, "final");
        assertRefused(StaticBesideAPublicOne.class, "static");
        assertRefused(FinalInAnAnnotatedClass.class, "final");
        assertRefused(FinalBehindAnInterface.class, "final");
    }

    @Test
    void staticMethodsOfAnAnnotatedClassAreNotItsBeans() {
        assertThatCode(() -> AspectContext.of(StaticInAnAnnotatedClass.class).close())
                .doesNotThrowAnyException();
    }

    @Test
    void aKeyThatRefersToNoParameterIsRefused() {
        assertRefused(UnknownVariable.class, "#ide", "#id, #a0");
        assertRefused(UnknownVariableInATemplate.class, "#ide", "#id, #a0");
    }

    @Test
    void timeoutOfMoreThanAHundredYearsIsRefused() {
        assertRefused(CenturiesOfPatience.class, "\"200000d\"", "36500 days");
    }

    @Test
    void aResultThatIsWorkedOnLaterIsRefused() {
        assertRefused(LazyResult.class, "java.util.stream.Stream", "without the lock");
    }
}
