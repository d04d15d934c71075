package io.github.cassandralock.exactlyonce.killedcopies;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two copies in processes of their own, and a steady producer. Each round measures the longest time without an output for some
 * seconds while both copies work, and for as long after one of them was killed; the killed one is started again after that.
 * Runs with {@code -Dgap.rounds=N} only: it measures, and what it measures belongs to the machine.
 */
@Tag("slow")
@EnabledIfSystemProperty(
        named = "gap.rounds",
        matches = "\\d+",
        disabledReason = "a measurement: -Dgap.rounds=3 runs it")
class LongestGapIT {

    private static final int ROUNDS = Integer.getInteger("gap.rounds", 3);
    private static final Duration WINDOW = Duration.ofSeconds(5);
    private static final long MILLIS_BETWEEN_INPUTS = 5;

    /** Outputs of a copy after which its JVM is no longer busy with its start. */
    private static final int OUTPUTS_OF_A_WARM_COPY = 400;

    /** 1.5 leases of 15 s, the default: how long the next worker waits at most for the lock of one that was killed. */
    private static final Duration GAP_UNDER_A_LOCK = Duration.ofMillis(22_500);

    @TempDir
    Path logs;

    @Test
    @Timeout(600)
    void outputsGoOnWhenOneOfTwoCopiesIsKilled() throws Exception {
        List<CopyProcess> copies = new ArrayList<>();
        ExecutorService producer = Executors.newSingleThreadExecutor(body -> new Thread(body, "producer"));
        try (Servers servers = Servers.start("gap")) {
            AtomicBoolean enough = new AtomicBoolean();
            Future<Long> pushed = producer.submit(() -> pushUntil(enough, servers));
            try {
                for (int copy = 0; copy < 2; copy++) {
                    copies.add(servers.startCopy("copy-" + copy, logs.resolve("copy-" + copy + ".log")));
                }
                long[] withoutKill = new long[ROUNDS];
                long[] withKill = new long[ROUNDS];
                for (int round = 0; round < ROUNDS; round++) {
                    awaitWarm(servers, "copy-0");
                    awaitWarm(servers, "copy-1");
                    long began = servers.nowMicros();
                    withoutKill[round] = longestGapMicros(servers, began);
                    CopyProcess victim = copies.get(round % 2);
                    began = servers.nowMicros();
                    victim.kill();
                    withKill[round] = longestGapMicros(servers, began);
                    victim.startAgain();
                }
                enough.set(true);
                servers.awaitOutputs(pushed.get(60, TimeUnit.SECONDS));
                print("without a kill", withoutKill);
                print("one of two copies killed", withKill);
                assertThat(Arrays.stream(withKill).boxed())
                        .allSatisfy(gap -> assertThat(gap).isLessThan(TimeUnit.MICROSECONDS.convert(GAP_UNDER_A_LOCK)));
            } finally {
                enough.set(true);
                producer.shutdownNow();
                copies.forEach(CopyProcess::close);
            }
        }
    }

    private static long pushUntil(AtomicBoolean enough, Servers servers) throws InterruptedException {
        long input = 0;
        while (!enough.get()) {
            servers.push(input);
            input++;
            TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_INPUTS); // the load, not a wait
        }
        return input;
    }

    private static void awaitWarm(Servers servers, String copy) throws SQLException, InterruptedException {
        long before = servers.outputsOf(copy);
        servers.await(() -> servers.outputsOf(copy) >= before + OUTPUTS_OF_A_WARM_COPY, copy + " has computed little");
    }

    private static long longestGapMicros(Servers servers, long from) throws SQLException, InterruptedException {
        TimeUnit.NANOSECONDS.sleep(WINDOW.toNanos()); // the time that is measured
        return servers.longestGapMicros(from, servers.nowMicros());
    }

    private static void print(String what, long[] gaps) {
        long[] sorted = gaps.clone();
        Arrays.sort(sorted);
        System.out.printf(
                "Longest time without an output, %d windows of %d s, %s: median %.0f ms, longest %.0f ms; all %s µs%n",
                ROUNDS,
                WINDOW.toSeconds(),
                what,
                sorted[sorted.length / 2] / 1e3,
                sorted[sorted.length - 1] / 1e3,
                Arrays.toString(gaps));
    }
}
