package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.SharedLockExperiment.Varied;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Contenders for one lock that several may hold, with the ticket lock and its peers in the same run. */
abstract class SharedLockCommand extends ExperimentCommand {

    private final Varied varied;

    @Mixin
    private final PeersOption peers = new PeersOption();

    @Option(
            names = "--contenders",
            converter = ContendersOption.class,
            split = ",",
            description =
                    "Numbers of contenders: up to five are a process each, and more are threads of five processes (default: those"
                            + " of docs/performance.md)")
    private List<Contenders> contenders;

    @Option(
            names = "--hold",
            defaultValue = "PT0S",
            description = "For how long each works under the lock, such as PT0.002S (default: ${DEFAULT-VALUE})")
    private Duration hold = Duration.ZERO;

    SharedLockCommand(Varied varied, int... contenders) {
        this.varied = varied;
        this.contenders = IntStream.of(contenders).mapToObj(Contenders::of).toList();
    }

    /** The values of the property that varies. */
    abstract List<Integer> values();

    /** Without a command line, the experiment that {@code all} runs. */
    final Experiment experiment(SeriesOptions options) {
        return new SharedLockExperiment(options, varied, peers.besideTheTicketLock(), contenders, values(), hold);
    }

    @Override
    final List<Experiment> experiments(SeriesOptions options) {
        return List.of(experiment(options));
    }
}
