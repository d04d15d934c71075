package io.github.cassandralock.benchmarks;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "threads",
        mixinStandardHelpOptions = true,
        description =
                "Several processes with several threads each that want one lock, with the ticket lock and the locks"
                        + " of others. The threads of a process share its client.")
final class ThreadsCommand extends ExperimentCommand {

    private static final List<Integer> THREADS = List.of(5, 20);

    @Mixin
    private final PeersOption peers = new PeersOption();

    @Option(
            names = "--processes",
            converter = AtLeastOne.class,
            defaultValue = "5",
            description = "How many processes there are (default: ${DEFAULT-VALUE})")
    private int processes = Contenders.MOST_PROCESSES;

    @Option(
            names = "--threads",
            converter = AtLeastOne.class,
            split = ",",
            defaultValue = "5,20",
            description = "Numbers of threads of each process (default: ${DEFAULT-VALUE})")
    private List<Integer> threads = THREADS;

    @Override
    List<Experiment> experiments(SeriesOptions options) {
        return List.of(new ThreadsExperiment(options, peers.besideTheTicketLock(), processes, threads));
    }

    /** What {@code all} measures. */
    static ThreadsExperiment usual(SeriesOptions options) {
        return new ThreadsExperiment(
                options, new PeersOption().besideTheTicketLock(), Contenders.MOST_PROCESSES, THREADS);
    }
}
