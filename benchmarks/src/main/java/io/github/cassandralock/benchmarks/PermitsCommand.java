package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.SharedLockExperiment.Varied;
import io.github.cassandralock.benchmarks.worker.Work;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "permits",
        mixinStandardHelpOptions = true,
        description =
                "Contenders for one of several permits of one lock, with the ticket lock, Curator's InterProcessSemaphoreV2 and"
                        + " Redisson's RPermitExpirableSemaphore, in the same run.")
final class PermitsCommand extends SharedLockCommand {

    @Option(
            names = "--permits",
            split = ",",
            defaultValue = "2,5",
            description = "How many may hold the lock at the same time, 2 at least (default: ${DEFAULT-VALUE})")
    private List<Integer> permits = List.of(2, 5);

    PermitsCommand() {
        super(new Varied("permits", "permits", Work::withPermits), 5, 25);
    }

    @Override
    List<Integer> values() {
        if (permits.stream().anyMatch(count -> count < 2)) {
            throw new IllegalArgumentException("A lock with permits has 2 at least, not one of " + permits);
        }
        return permits;
    }
}
