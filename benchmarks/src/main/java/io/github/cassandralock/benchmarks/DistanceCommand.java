package io.github.cassandralock.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "distance",
        mixinStandardHelpOptions = true,
        description =
                "How long a ticket lock takes from one contender to the other if messages take long, with notices and"
                        + " without.")
final class DistanceCommand extends ExperimentCommand {

    static final List<Long> DEFAULT = List.of(0L, 20L);

    static final int HAND_OVERS = 120;

    @Option(
            names = "--one-way",
            split = ",",
            defaultValue = "0,20",
            description = "How many milliseconds a message takes in each direction (default: ${DEFAULT-VALUE})")
    private List<Long> oneWayMillis = DEFAULT;

    @Option(
            names = "--acquisitions",
            converter = AtLeastOne.class,
            defaultValue = "" + HAND_OVERS,
            description = "How often each of the two contenders takes the lock (default: ${DEFAULT-VALUE})")
    private int acquisitions = HAND_OVERS;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new DistanceExperiment(options, oneWayMillis, acquisitions));
    }
}
