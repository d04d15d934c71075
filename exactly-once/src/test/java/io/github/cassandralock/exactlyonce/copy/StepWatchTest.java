package io.github.cassandralock.exactlyonce.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.cassandralock.exactlyonce.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps that take too long are reported while they last. */
@Timeout(60)
class StepWatchTest {

    private static final Duration LIMIT = Duration.ofMillis(40);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** A report of an overdue step. */
    private record Report(Duration lasting, List<StackTraceElement> stack) {}

    private interface Work {
        void step() throws InterruptedException;
    }

    /** Does its work in each step, and pauses after it. */
    private static final class Worker extends Copy<CopyListener> {

        final Reports told;
        private final Work work;

        Worker(CopyEnvironment environment, Work work) {
            this(environment, work, new Reports(() -> {}));
        }

        private Worker(CopyEnvironment environment, Work work, Reports told) {
            super("handler", "worker", "1", List.of(told), environment);
            this.work = work;
            this.told = told;
        }

        @Override
        protected void run() throws InterruptedException {
            while (beginStep()) {
                work.step();
                getPauser().pause(LIMIT.multipliedBy(3));
            }
        }
    }

    /** The reports of a copy. */
    private static final class Reports implements CopyListener {

        final List<Report> all = Collections.synchronizedList(new ArrayList<>());
        final CountDownLatch two = new CountDownLatch(2);
        final CompletableFuture<Thread> caller = new CompletableFuture<>();
        private final Work listening;

        Reports(Work listening) {
            this.listening = listening;
        }

        @Override
        public void onStepOverdue(String name, Duration lasting, List<StackTraceElement> stack) {
            all.add(new Report(lasting, stack));
            two.countDown();
            caller.complete(Thread.currentThread());
            try {
                listening.step();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void hang(CountDownLatch end) throws InterruptedException {
        end.await();
    }

    @Test
    void stepThatHangsIsReportedWithItsStackAtGrowingDistances() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Worker worker = new Worker(CopyEnvironment.ofThisMachine(LIMIT), () -> hang(end));
        worker.start();
        assertThat(worker.told.two.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(worker.getOverdue()).isPresent();
        end.countDown();
        while (worker.getOverdue().isPresent()) {
            Thread.onSpinWait();
        }
        assertThat(worker.close(LONG)).isTrue();
        Report first = worker.told.all.get(0);
        Report second = worker.told.all.get(1);
        assertThat(first.lasting()).isGreaterThanOrEqualTo(LIMIT);
        assertThat(second.lasting()).isGreaterThanOrEqualTo(LIMIT.multipliedBy(2));
        assertThat(first.stack())
                .hasSizeLessThanOrEqualTo(50)
                .anyMatch(frame -> frame.getMethodName().equals("hang"));
    }

    @Test
    void listenerThatHangsHidesNoStepOfAnotherCopyAndEndsWithItsOwn() throws Exception {
        CopyEnvironment environment = CopyEnvironment.ofThisMachine(LIMIT);
        CountDownLatch end = new CountDownLatch(1);
        Reports hanging = new Reports(() -> hang(end));
        Worker worker = new Worker(environment, () -> hang(end), hanging);
        worker.start();
        Thread caller = hanging.caller.get(30, TimeUnit.SECONDS);
        Worker another = new Worker(environment, () -> hang(end));
        another.start();
        assertThat(another.told.two.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(hanging.all).hasSize(1);
        assertThat(another.close(LONG)).isTrue();
        assertThat(worker.close(LONG)).isTrue();
        TimeUnit.NANOSECONDS.timedJoin(caller, LONG.toNanos());
        assertThat(caller.isAlive()).isFalse();
    }

    @Test
    void pausesAreNoPartOfAStep() throws Exception {
        CountDownLatch steps = new CountDownLatch(4);
        Worker worker = new Worker(CopyEnvironment.ofThisMachine(LIMIT), steps::countDown);
        worker.start();
        assertThat(steps.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(worker.close(LONG)).isTrue();
        assertThat(worker.told.all)
                .noneMatch(report -> report.stack().stream()
                        .anyMatch(frame -> frame.getMethodName().equals("pause")));
    }

    @Test
    void threadOfTheWatchEndsWithTheLastCopyAndComesBackWithTheNext() throws Exception {
        CopyEnvironment environment = CopyEnvironment.ofThisMachine(LIMIT);
        for (int round = 0; round < 2; round++) {
            CountDownLatch steps = new CountDownLatch(1);
            Worker worker = new Worker(environment, steps::countDown);
            worker.start();
            assertThat(steps.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(threadsOfWatches()).isPositive();
            assertThat(worker.close(LONG)).isTrue();
            while (threadsOfWatches() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    private static long threadsOfWatches() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("exactly-once-steps"))
                .count();
    }

    @Test
    void boundsOfTheLimitAreChecked() {
        assertThatIllegalArgumentException().isThrownBy(() -> new StepWatch(Duration.ZERO, Ticker.system()));
        assertThatIllegalArgumentException().isThrownBy(() -> new StepWatch(Duration.ofDays(2), Ticker.system()));
    }
}
