package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.gap.GapWorker;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = GapWorkerCommand.NAME, hidden = true, description = "Is started by the others.")
final class GapWorkerCommand implements Callable<Integer> {

    static final String NAME = "gap-worker";

    @Parameters(arity = "4", paramLabel = "MODE NAME CASSANDRA POSTGRES")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws Exception {
        GapWorker.run(arguments.get(0), arguments.get(1), arguments.get(2), arguments.get(3));
        return 0;
    }
}
