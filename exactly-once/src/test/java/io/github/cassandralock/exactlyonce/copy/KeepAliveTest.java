package io.github.cassandralock.exactlyonce.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process stays alive from the start of the first copy until the last one is closed. */
@Timeout(60)
class KeepAliveTest {

    private static final String NAME = "keep-alive-of-a-test";

    private final CopyEnvironment environment = CopyEnvironment.ofThisMachine().withKeepAlive(KeepAlive.byThread(NAME));

    /** Waits until it is closed. */
    private static final class Waiting extends Copy<CopyListener> {

        Waiting(CopyEnvironment environment) {
            super("handler", "waiting", "1", List.of(), environment);
        }

        @Override
        protected void run() throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    private static final class Failing extends Copy<CopyListener> {

        Failing(CopyEnvironment environment, CopyListener listener) {
            super("handler", "failing", "1", List.of(listener), environment);
        }

        @Override
        protected void run() {
            throw new IllegalStateException("fails for good");
        }
    }

    private static List<Thread> keepingAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(NAME))
                .toList();
    }

    private static void awaitEnd() throws InterruptedException {
        for (Thread thread : keepingAlive()) {
            thread.join();
        }
    }

    @Test
    void oneThreadKeepsTheProcessAliveUntilTheLastCopyIsClosed() throws Exception {
        Waiting first = new Waiting(environment);
        Waiting second = new Waiting(environment);
        assertThat(keepingAlive()).isEmpty();
        first.start();
        second.start();
        assertThat(keepingAlive())
                .singleElement()
                .satisfies(thread -> assertThat(thread.isDaemon()).isFalse());
        first.close();
        first.close();
        assertThat(keepingAlive()).hasSize(1);
        second.close();
        awaitEnd();
    }

    @Test
    void copyThatHasFailedKeepsTheProcessAliveUntilItIsClosed() throws Exception {
        CountDownLatch failed = new CountDownLatch(1);
        Failing failing = new Failing(environment, new CopyListener() {
            @Override
            public void onFailed(String name, Throwable cause) {
                failed.countDown();
            }
        });
        failing.start();
        assertThat(failed.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(keepingAlive()).hasSize(1);
        failing.close();
        awaitEnd();
    }

    @Test
    void copyThatIsStartedTwiceOrClosedFirstKeepsNothingAlive() throws Exception {
        Waiting closed = new Waiting(environment);
        assertThat(closed.close(Duration.ZERO)).isTrue();
        assertThatIllegalStateException().isThrownBy(closed::start);
        Waiting twice = new Waiting(environment);
        twice.start();
        assertThatIllegalStateException().isThrownBy(twice::start);
        twice.close();
        awaitEnd();
    }

    @Test
    void environmentOfThisMachineKeepsTheProcessAlive() throws Exception {
        Waiting copy = new Waiting(CopyEnvironment.ofThisMachine());
        copy.start();
        assertThat(Thread.getAllStackTraces().keySet())
                .anyMatch(thread -> thread.getName().equals("exactly-once-keep-alive") && !thread.isDaemon());
        copy.close();
    }
}
