package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.processor.Layout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Options of the experiments in which processes take locks again and again. */
final class SeriesOptions {

    /** A shorter turn is for trials of the command. */
    private static final Duration SHORTEST_TURN = Duration.ofSeconds(20);

    private static final Duration LONGEST_FIXED_WARM_UP = Duration.ofMinutes(5);

    @Option(
            names = "--nodes",
            converter = AtLeastOne.class,
            description = "Cassandra nodes, of each cluster if there are several (default: ${DEFAULT-VALUE})")
    private int nodes;

    @Option(
            names = "--starts",
            converter = AtLeastOne.class,
            defaultValue = "1",
            description = "How often everything is started afresh and measured. Tables have the slowest start (default:"
                    + " ${DEFAULT-VALUE})")
    private int starts = 1;

    @Option(
            names = "--layout",
            converter = LayoutOption.class,
            defaultValue = "shared",
            description = "Which processors servers and clients have: shared (all have all) or apart (servers have one"
                    + " core, clients another one) (default: ${DEFAULT-VALUE})")
    private Layout layout = Layout.SHARED;

    @Option(
            names = "--warm-up",
            defaultValue = "PT12M",
            description = "For how long each algorithm may run at each point before it counts. Its warm-up ends earlier"
                    + " when its rate has stopped rising; if it does not, the report says so (default:"
                    + " ${DEFAULT-VALUE})")
    private Duration warmUp = Duration.ofMinutes(12);

    @Option(
            names = "--lead-in",
            defaultValue = "PT2M",
            description = "For how long each turn may run before it counts. It counts earlier when the compilers of all"
                    + " processes are quiet (default: ${DEFAULT-VALUE})")
    private Duration leadIn = Duration.ofMinutes(2);

    @Option(
            names = "--turn",
            defaultValue = "PT20S",
            description = "For how long each turn counts at least; less than PT20S is a trial (default:"
                    + " ${DEFAULT-VALUE})")
    private Duration turn = SHORTEST_TURN;

    @Option(
            names = "--turns",
            converter = AtLeastOne.class,
            defaultValue = "3",
            description = "How often each is measured. Those of all algorithms take turns, so that the machine's drift"
                    + " hits all alike. Each figure is the median (default: ${DEFAULT-VALUE})")
    private int turns = 3;

    SeriesOptions() {
        this(3);
    }

    /** @param nodes how many there are unless the command line says otherwise */
    SeriesOptions(int nodes) {
        this.nodes = nodes;
    }

    int nodes() {
        return nodes;
    }

    int starts() {
        return starts;
    }

    Layout layout() {
        return layout;
    }

    Duration warmUp() {
        return warmUp;
    }

    /** The warm-up of experiments that repeat one kind of work and do not measure its rate meanwhile. */
    Duration fixedWarmUp() {
        return warmUp.compareTo(LONGEST_FIXED_WARM_UP) < 0 ? warmUp : LONGEST_FIXED_WARM_UP;
    }

    Duration leadIn() {
        return leadIn;
    }

    Duration turn() {
        return turn;
    }

    int turns() {
        return turns;
    }

    /** What a reader of the report has to see first. */
    List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (turn.compareTo(SHORTEST_TURN) < 0) {
            notes.add("A trial, not a measurement: turns of " + turn.toMillis() + " ms.");
        }
        return notes;
    }
}
