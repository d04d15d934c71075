package io.github.cassandralock.benchmarks;

import java.time.Duration;
import picocli.CommandLine.Option;

/** What the experiments have in common that let processes take one lock again and again. */
final class SeriesOptions {

    @Option(
            names = "--nodes",
            converter = AtLeastOne.class,
            description = "Cassandra nodes, of each cluster if there are several (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--warm-up",
            defaultValue = "PT5M",
            description =
                    "For how long everything may run before it counts. The warm-up of an algorithm ends earlier if the"
                            + " compilers of all processes are quiet (default: ${DEFAULT-VALUE})")
    private Duration warmUp;

    @Option(
            names = "--turns",
            converter = AtLeastOne.class,
            defaultValue = "6",
            description = "Into how many turns each measurement is cut; those of all algorithms take turns, so that the"
                    + " machine's drift hits all alike (default: ${DEFAULT-VALUE})")
    private int turns;

    @Option(
            names = "--runs",
            converter = AtLeastOne.class,
            defaultValue = "1",
            description = "How often contenders for one lock are measured, one run after the other, in the same warm"
                    + " processes. Each figure is the median of all runs (default: ${DEFAULT-VALUE})")
    private int runs;

    SeriesOptions() {
        this(3);
    }

    /** @param nodes how many there are unless the command line says otherwise */
    SeriesOptions(int nodes) {
        this(nodes, Duration.ofMinutes(5), 6, 1);
    }

    private SeriesOptions(int nodes, Duration warmUp, int turns, int runs) {
        this.nodes = nodes;
        this.warmUp = warmUp;
        this.turns = turns;
        this.runs = runs;
    }

    /** The same, for measurements that are not to be cut. */
    SeriesOptions inOneTurn() {
        return new SeriesOptions(nodes, warmUp, 1, runs);
    }

    int nodes() {
        return nodes;
    }

    Duration warmUp() {
        return warmUp;
    }

    int turns() {
        return turns;
    }

    int runs() {
        return runs;
    }

    /**
     * So many acquisitions, shared out to the turns as evenly as can be.
     *
     * @param turn from 0
     * @return how many are left for that turn, 0 if there are more turns than acquisitions
     */
    int share(int acquisitions, int turn) {
        return acquisitions * (turn + 1) / turns - acquisitions * turn / turns;
    }
}
