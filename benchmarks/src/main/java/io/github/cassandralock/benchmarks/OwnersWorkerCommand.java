package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.waiting.OwnersWorker;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = OwnersWorkerCommand.NAME, hidden = true, description = "Is started by the others.")
final class OwnersWorkerCommand implements Callable<Integer> {

    static final String NAME = "owners-worker";

    @Parameters(index = "0", paramLabel = "NUMBER")
    private int number;

    @Parameters(index = "1", paramLabel = "CASSANDRA")
    private String cassandra = "";

    @Parameters(index = "2", paramLabel = "SEARCH")
    private boolean search;

    @Override
    public Integer call() throws Exception {
        OwnersWorker.run(number, cassandra, search);
        return 0;
    }
}
