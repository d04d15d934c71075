package io.github.cassandralock.exactlyonce.killedcopies;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.queue.Cell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three copies in processes of their own are killed (SIGKILL) and started again, and stopped (SIGSTOP) and woken, at random, while
 * 1,200 inputs come. {@code -Dkilled.seed=N} gives another order of faults, {@code -Dkilled.inputs=N} more of them.
 */
@Tag("slow")
class CopiesKilledIT {

    private static final int INPUTS = Integer.getInteger("killed.inputs", 1_200);
    private static final int COPIES = 3;
    private static final int INPUTS_BETWEEN_FAULTS = 40;
    private static final int LONGEST_STOP = 120;
    private static final long SEED = Long.getLong("killed.seed", 21);

    @TempDir
    Path logs;

    /** Kills and stops copies at inputs that the seed decides. One copy at least is never stopped, or nobody would go on. */
    private static final class Nemesis {

        private final Random random = new Random(SEED);
        private final List<CopyProcess> copies;
        private final long[] wakeAt = new long[COPIES];
        private final long began = System.nanoTime();
        int kills;
        int killsOfStopped;
        int stops;

        Nemesis(List<CopyProcess> copies) {
            this.copies = copies;
        }

        void afterInput(long input) throws IOException, InterruptedException {
            for (int copy = 0; copy < COPIES; copy++) {
                if (copies.get(copy).isStopped() && wakeAt[copy] <= input) {
                    wake(copy, input);
                }
            }
            if (random.nextInt(INPUTS_BETWEEN_FAULTS) == 0) {
                makeFault(random.nextInt(COPIES), input);
            }
        }

        private void makeFault(int copy, long input) throws IOException, InterruptedException {
            long length = 1L + random.nextInt(LONGEST_STOP);
            boolean kill = random.nextBoolean();
            boolean another = copies.stream().filter(CopyProcess::isStopped).count() < COPIES - 1;
            if (!kill && another && !copies.get(copy).isStopped()) {
                copies.get(copy).stop();
                wakeAt[copy] = input + length;
                stops++;
                tell(copy, input, "stopped for " + length + " inputs");
            } else {
                killsOfStopped += copies.get(copy).isStopped() ? 1 : 0;
                kills++;
                copies.get(copy).kill();
                copies.get(copy).startAgain();
                tell(copy, input, "killed and started again");
            }
        }

        private void wake(int copy, long input) throws IOException, InterruptedException {
            copies.get(copy).resume();
            tell(copy, input, "woken");
        }

        void wakeAll() throws IOException, InterruptedException {
            for (int copy = 0; copy < COPIES; copy++) {
                if (copies.get(copy).isStopped()) {
                    wake(copy, INPUTS);
                }
            }
        }

        private void tell(int copy, long input, String what) {
            System.out.printf("%6.1f s, input %5d: copy-%d %s%n", (System.nanoTime() - began) / 1e9, input, copy, what);
        }
    }

    @Test
    @Timeout(1_200)
    void eachOutputIsThereOnceAndInOrderThoughCopiesAreKilledAndStopped() throws Exception {
        List<CopyProcess> copies = new ArrayList<>();
        try (Servers servers = Servers.start("killed")) {
            try {
                for (int copy = 0; copy < COPIES; copy++) {
                    copies.add(servers.startCopy("copy-" + copy, log(copy)));
                }
                Nemesis nemesis = new Nemesis(copies);
                for (long input = 0; input < INPUTS; input++) {
                    servers.push(input);
                    nemesis.afterInput(input);
                }
                nemesis.wakeAll();
                servers.awaitOutputs(INPUTS);
                assertThat(copies).allMatch(CopyProcess::isAlive);
                for (CopyProcess copy : copies) {
                    copy.end();
                }
                assertOutputsAreRight(servers);
                assertFaultsWereMade(servers, nemesis);
            } finally {
                copies.forEach(CopyProcess::close);
            }
        }
    }

    private Path log(int copy) {
        return logs.resolve("copy-" + copy + ".log");
    }

    private void assertOutputsAreRight(Servers servers) throws Exception {
        List<Long> totals = new ArrayList<>();
        long total = 0;
        for (long input = 0; input < INPUTS; input++) {
            total += Servers.number(input);
            totals.add(total);
        }
        assertThat(servers.positions())
                .isEqualTo(LongStream.rangeClosed(1, INPUTS).boxed().toList());
        assertThat(servers.totals()).isEqualTo(totals);
        assertThat(servers.counter()).isEqualTo(INPUTS);
        assertThat(servers.outputQueue().read(servers.outputQueue().readNextIndex()))
                .isInstanceOf(Cell.Absent.class);
        for (int copy = 0; copy < COPIES; copy++) {
            assertThat(Files.readString(log(copy))).doesNotContain(CopyMain.FAILED);
        }
    }

    private static void assertFaultsWereMade(Servers servers, Nemesis nemesis) throws Exception {
        List<Long> shares = servers.outputsOfEachCopy();
        System.out.println("Seed " + SEED + ": " + nemesis.kills + " kills, " + nemesis.killsOfStopped
                + " of them of copies that were stopped, " + nemesis.stops + " stops; outputs of the copies: "
                + shares);
        assertThat(shares).as("copies that took part").hasSizeGreaterThan(1);
        assertThat(nemesis.kills).isGreaterThan(5);
        assertThat(nemesis.stops).isGreaterThan(5);
    }
}
