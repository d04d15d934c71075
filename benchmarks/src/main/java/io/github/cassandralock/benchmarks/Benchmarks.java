package io.github.cassandralock.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Measures the locks. */
@Command(
        name = "benchmarks",
        mixinStandardHelpOptions = true,
        description = "Measures the locks on real Cassandra nodes, with real processes.",
        subcommands = {
            AllCommand.class,
            ThesisCommand.class,
            PeersCommand.class,
            ThreadsCommand.class,
            ScalingCommand.class,
            BookkeepingCommand.class,
            VersionsCommand.class,
            RenderCommand.class,
            CrowdCommand.class,
            ReadersCommand.class,
            PermitsCommand.class,
            DistanceCommand.class,
            MajorityCommand.class,
            ExactlyOnceCommand.class,
            GapCommand.class,
            OutputsCommand.class,
            AnatomyCommand.class,
            CostCommand.class,
            WaitingCommand.class,
            LimitsCommand.class,
            StartCommand.class,
            WorkerCommand.class,
            GapWorkerCommand.class,
            OwnersWorkerCommand.class,
            LimitsWorkerCommand.class
        })
public final class Benchmarks {

    private Benchmarks() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments));
    }

    /** @return the exit status */
    static int run(String... arguments) {
        return new CommandLine(new Benchmarks())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(arguments);
    }
}
