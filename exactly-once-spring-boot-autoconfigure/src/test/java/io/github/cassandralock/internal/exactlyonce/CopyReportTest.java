package io.github.cassandralock.internal.exactlyonce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.copy.Copy;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.copy.CopyListener;
import io.github.cassandralock.exactlyonce.copy.KeepAlive;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the health of copies shows. */
@Timeout(60)
class CopyReportTest {

    private static final Duration LIMIT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Its first step hangs until the latch is at zero. Then it has nothing to do. */
    private static final class HangingCopy extends Copy<CopyListener> {

        private final CountDownLatch end;
        private final CopyFigures figures;

        HangingCopy(CopyFigures figures, CountDownLatch end) {
            super("handler", "h", "1", List.of(figures), environment());
            this.figures = figures;
            this.end = end;
        }

        private static CopyEnvironment environment() {
            return CopyEnvironment.ofThisMachine(LIMIT).withKeepAlive(KeepAlive.none());
        }

        @Override
        protected void run() throws InterruptedException {
            hang();
            while (beginStep()) {
                figures.onIdle("h");
                getPauser().pause(LIMIT);
            }
        }

        private void hang() throws InterruptedException {
            end.await();
        }
    }

    private static Runner runner(CountDownLatch end) {
        return new Runner(
                Runner.Kind.HANDLER,
                "h",
                List.of(),
                figures -> new Runner.Run(new HangingCopy(figures, end), Map::of, input -> Optional.empty()));
    }

    private static String details(Runner runner) {
        return CopyReport.of(List.of(runner), Optional.empty()).details().toString();
    }

    private static CopyReport.Status status(Runner runner) {
        return CopyReport.of(List.of(runner), Optional.empty()).status();
    }

    @Test
    void stepThatHangsIsAWarningWithItsStackUntilItEnds() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Runner runner = runner(end);
        runner.start();
        await().atMost(LONG).until(() -> details(runner).contains("HangingCopy.hang"));
        assertThat(status(runner)).isEqualTo(CopyReport.Status.WARNING);
        assertThat(runner.figures().sum(Counted.OVERDUE)).isPositive();
        end.countDown();
        await().atMost(LONG).until(() -> status(runner) == CopyReport.Status.UP);
        assertThat(runner.stop(LONG)).isTrue();
    }

    @Test
    void stackOfAStepThatHasEndedIsNotShownForTheNext() {
        CopyFigures figures = new CopyFigures();
        List<Runnable> ends = List.of(
                () -> figures.onIdle("h"),
                () -> figures.onStepRefused("h"),
                () -> figures.onPushed("h", 1),
                () -> figures.onFunctionFailed("h", 1, new IllegalStateException()));
        for (Runnable end : ends) {
            figures.onStepOverdue("h", LIMIT, List.of(new StackTraceElement("Code", "hangs", "Code.java", 1)));
            assertThat(figures.warnings(Optional.of(LIMIT))).containsKey("stepIsAt");
            end.run();
            assertThat(figures.warnings(Optional.of(LIMIT))).doesNotContainKey("stepIsAt");
        }
    }
}
