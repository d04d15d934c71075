package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.contender.Algorithm;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "crowd",
        mixinStandardHelpOptions = true,
        description =
                "Very many contenders for one ticket lock, with notices and without. Each has a session of its own.")
final class CrowdCommand extends ExperimentCommand {

    @Option(
            names = "--processes",
            converter = AtLeastOne.class,
            defaultValue = "20",
            description = "How many processes there are (default: ${DEFAULT-VALUE})")
    private int processes = 20;

    @Option(
            names = "--each",
            converter = AtLeastOne.class,
            defaultValue = "50",
            description = "How many contenders each process has (default: ${DEFAULT-VALUE})")
    private int each = 50;

    @Option(
            names = "--with",
            split = ",",
            defaultValue = "ticket-notices,ticket",
            description = "With notices, or without, or both (default: ${DEFAULT-VALUE})")
    private List<Algorithm> algorithms = List.of(Algorithm.TICKET_NOTICES, Algorithm.TICKET);

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new CrowdExperiment(options, algorithms, new Contenders(processes, each)));
    }
}
