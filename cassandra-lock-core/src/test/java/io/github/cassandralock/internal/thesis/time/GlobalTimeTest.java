package io.github.cassandralock.internal.thesis.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.FaultModel;
import io.github.cassandralock.internal.simulation.SimulatedCells;
import io.github.cassandralock.internal.simulation.SimulatedNetwork;
import io.github.cassandralock.internal.simulation.SimulatedProcess;
import io.github.cassandralock.internal.simulation.SimulatedTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class GlobalTimeTest {

    private final SimulatedTime time = new SimulatedTime();
    private final SimulatedCells cells = new SimulatedCells(
            time,
            new SimulatedNetwork(
                    time,
                    new SplittableRandom(1),
                    new FaultModel.Transport(Duration.ofMillis(3), false, 0, 0, Duration.ZERO, Duration.ofSeconds(2))));

    private SimulatedProcess process(Duration wallClockOffset) {
        return new SimulatedProcess(time, 1, wallClockOffset);
    }

    private GlobalTime replica(SimulatedProcess process) {
        return GlobalTime.start(cells.globalTime(process), process, process);
    }

    private long now(GlobalTime replica) {
        CompletableFuture<Long> now = replica.now().toCompletableFuture();
        time.runUntil(now::isDone, Duration.ofSeconds(5));
        return now.join();
    }

    @Test
    void nowIsTheGreatestLocalTimeOfAllReplicas() {
        SimulatedProcess slow = process(Duration.ofMinutes(-5));
        GlobalTime behind = replica(slow);
        SimulatedProcess fast = process(Duration.ofMinutes(5));
        replica(fast);
        time.run(Duration.ofSeconds(2));
        assertThat(now(behind))
                .as("as told by the replica that is behind")
                .isBetween(fast.readMicros() - 1_000_000, fast.readMicros());
    }

    @Test
    void nowNeverDecreasesWhateverReplicasComeAndGo() {
        GlobalTime observer = replica(process(Duration.ZERO));
        List<Long> seen = new ArrayList<>();
        for (int minutes : new int[] {3, -3, 7, -20}) {
            try (GlobalTime visitor = replica(process(Duration.ofMinutes(minutes)))) {
                time.run(Duration.ofSeconds(2));
                seen.add(now(visitor));
            }
            seen.add(now(observer));
        }
        assertThat(seen).isSorted();
    }

    @Test
    void valuesWithinAProcessGrowStrictlyWhileTheCellDoesNotChange() {
        SimulatedProcess ahead = process(Duration.ofMinutes(10));
        GlobalTime doomed = replica(ahead);
        time.run(Duration.ofSeconds(1));
        doomed.close();
        ahead.kill();
        GlobalTime survivor = replica(process(Duration.ZERO));
        List<Long> values = new ArrayList<>();
        for (int call = 0; call < 100; call++) {
            values.add(now(survivor));
        }
        assertThat(values).isSorted().doesNotHaveDuplicates();
        assertThat(values.get(99) - values.get(0))
                .as("microseconds while the cell is frozen")
                .isEqualTo(99);
    }

    @Test
    void updatesEndWhenItIsClosed() {
        GlobalTime replica = replica(process(Duration.ZERO));
        time.run(Duration.ofSeconds(2));
        replica.close();
        time.run(Duration.ofSeconds(1));
        long operations = cells.operations();
        time.run(Duration.ofMinutes(1));
        assertThat(cells.operations()).isEqualTo(operations);
    }
}
