package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.SharedLockExperiment.Varied;
import io.github.cassandralock.benchmarks.worker.Work;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "readers",
        mixinStandardHelpOptions = true,
        description =
                "Readers and writers of one lock, with the ticket lock, Curator's InterProcessReadWriteLock and Redisson's"
                        + " RReadWriteLock, in the same run.")
final class ReadersCommand extends SharedLockCommand {

    @Option(
            names = "--readers",
            split = ",",
            defaultValue = "0,90,100",
            description = "How many of a hundred acquisitions are those of readers (default: ${DEFAULT-VALUE})")
    private List<Integer> shares = List.of(0, 90, 100);

    ReadersCommand() {
        super(new Varied("readers", "readers %", Work::withReaders), 1, 5, 25);
    }

    @Override
    List<Integer> values() {
        return shares;
    }
}
