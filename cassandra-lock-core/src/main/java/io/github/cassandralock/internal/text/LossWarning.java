package io.github.cassandralock.internal.text;

import io.github.cassandralock.internal.time.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/**
 * Logs which locks are lost, of which there may be thousands at once. The first loss has a line of its own. Further losses within
 * an interval of one second share lines, which name each lock. Thread-safe; never blocks.
 */
public final class LossWarning {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    private record Loss(String lockId, String reason) {}

    private final Logger log;
    private final Timers timers;
    private final Queue<Loss> unreported = new ConcurrentLinkedQueue<>();

    /** Whether an interval is under way. */
    private final AtomicBoolean collecting = new AtomicBoolean();

    /** @param timers end the intervals; if a timer fails, the collected losses are logged at once */
    public LossWarning(Logger log, Timers timers) {
        this.log = log;
        this.timers = timers;
    }

    /** Logs that the lock is lost, now or at the end of the interval. */
    public void warn(String lockId, String reason) {
        if (collecting.compareAndSet(false, true)) {
            log.warn("Lock '{}' is lost: {}", lockId, reason);
            reportLater();
        } else {
            unreported.add(new Loss(lockId, reason));
            reportUnlessCollecting();
        }
    }

    private void reportLater() {
        timers.afterOrFailed(INTERVAL).whenComplete((done, noTimers) -> {
            boolean any = report();
            if (any && noTimers == null) {
                reportLater();
            } else {
                collecting.set(false);
                reportUnlessCollecting();
            }
        });
    }

    /** The interval may have ended between two steps of another thread. */
    private void reportUnlessCollecting() {
        if (!unreported.isEmpty() && collecting.compareAndSet(false, true)) {
            report();
            reportLater();
        }
    }

    private boolean report() {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        for (Loss loss = unreported.poll(); loss != null; loss = unreported.poll()) {
            byReason.computeIfAbsent(loss.reason(), reason -> new ArrayList<>()).add("'" + loss.lockId() + "'");
        }
        byReason.forEach((reason, lockIds) ->
                LongLines.of(lockIds).forEach(line -> log.warn("More locks are lost: {}: {}", reason, line)));
        return !byReason.isEmpty();
    }
}
