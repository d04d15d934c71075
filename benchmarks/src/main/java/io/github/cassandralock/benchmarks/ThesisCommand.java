package io.github.cassandralock.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "thesis",
        mixinStandardHelpOptions = true,
        description = "The thesis's experiment: 1, 3 and 5 processes take one lock again and again, with the old"
                + " algorithm, the new one and the ticket lock.")
final class ThesisCommand extends ExperimentCommand {

    /** As in the thesis. */
    static final int ACQUISITIONS = 5_000;

    @Option(
            names = "--processes",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "1,3,5",
            description = "Numbers of processes (default: ${DEFAULT-VALUE})")
    private List<Integer> processes = List.of(1, 3, 5);

    @Option(
            names = "--acquisitions",
            converter = AtLeastOne.class,
            defaultValue = "" + ACQUISITIONS,
            description = "How often each process takes the lock at least in each turn (default: ${DEFAULT-VALUE})")
    private int acquisitions = ACQUISITIONS;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new ThesisExperiment(options, processes, acquisitions));
    }
}
