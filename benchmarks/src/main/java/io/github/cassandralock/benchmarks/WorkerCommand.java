package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.worker.Worker;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = WorkerCommand.NAME, hidden = true, description = "Is started by the others.")
final class WorkerCommand implements Callable<Integer> {

    static final String NAME = "worker";

    @Parameters(paramLabel = "NUMBER")
    private int number;

    @Override
    public Integer call() throws Exception {
        Worker.run(number);
        return 0;
    }
}
