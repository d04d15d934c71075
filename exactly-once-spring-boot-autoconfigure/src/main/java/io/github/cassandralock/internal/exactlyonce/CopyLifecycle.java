package io.github.cassandralock.internal.exactlyonce;

import io.github.cassandralock.exactlyonce.copy.KeepAlive;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Starts a copy of everything that is to run when the application has started. Ends all copies before anything else of the
 * application ends. The web server finishes its requests later, and sessions and connection pools close after that. Another
 * instance continues what a copy leaves undone, or this instance after its next start.
 *
 * <p>Copies keep the process alive until the application context is closed; no web server is needed for that.
 */
public class CopyLifecycle implements SmartLifecycle, AutoCloseable {

    /**
     * Later than the web server and its graceful shutdown at the start, so earlier at the end; as listeners of brokers.
     */
    public static final int PHASE = DEFAULT_PHASE - 100;

    private static final Logger log = LoggerFactory.getLogger(CopyLifecycle.class);

    private final List<Runner> runners;
    private final Duration longestStop;
    private final KeepAlive keepAlive = KeepAlive.byThread("exactly-once-keep-alive");
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean keptAlive = new AtomicBoolean();

    /** @param longestStop how long the end of all copies is waited for together */
    public CopyLifecycle(List<Runner> runners, Duration longestStop) {
        this.runners = List.copyOf(runners);
        this.longestStop = longestStop;
    }

    /** Everything that is run. */
    public List<Runner> runners() {
        return runners;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public boolean isRunning() {
        return running.get();
    }

    /** Does no I/O: each copy begins in its own thread. */
    @Override
    public void start() {
        if (!running.getAndSet(true)) {
            if (!runners.isEmpty() && !keptAlive.getAndSet(true)) {
                keepAlive.begin();
            }
            runners.forEach(Runner::start);
            log.info("Runs a copy of {}", runners.isEmpty() ? "nothing" : runners);
        }
    }

    /** Interrupts all copies, then waits for their ends. If the caller is interrupted, it keeps the interrupt. */
    @Override
    public void stop() {
        if (!running.getAndSet(false)) {
            return;
        }
        try {
            for (Runner runner : runners) {
                runner.stop(Duration.ZERO);
            }
            long end = System.nanoTime() + longestStop.toNanos();
            for (Runner runner : runners) {
                waitForEnd(runner, Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void waitForEnd(Runner runner, Duration longest) throws InterruptedException {
        if (!runner.stop(longest)) {
            log.warn(
                    "The copy of {} has not ended within {} of exactly-once.shutdown-timeout: its function or its"
                            + " store ignores the interrupt. The application closes without it; nothing is lost",
                    runner,
                    longestStop);
        }
    }

    /** Stops the copies, then ends the thread that keeps the process alive. */
    @Override
    public void close() {
        try {
            stop();
        } finally {
            if (keptAlive.getAndSet(false)) {
                keepAlive.end();
            }
        }
    }
}
