package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.limits.LimitsWorker;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = LimitsWorkerCommand.NAME, hidden = true, description = "Is started by the others.")
final class LimitsWorkerCommand implements Callable<Integer> {

    static final String NAME = "limits-worker";

    @Parameters(index = "0", paramLabel = "NUMBER")
    private int number;

    @Parameters(index = "1", paramLabel = "CASSANDRA")
    private String cassandra = "";

    @Override
    public Integer call() throws Exception {
        LimitsWorker.run(number, cassandra);
        return 0;
    }
}
