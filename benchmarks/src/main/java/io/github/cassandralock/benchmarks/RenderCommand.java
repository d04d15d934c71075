package io.github.cassandralock.benchmarks;

import io.github.cassandralock.benchmarks.report.PageReport;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        description = "Makes the tables and the figures of a page from the files of results. Measures nothing.")
final class RenderCommand implements Callable<Integer> {

    @Option(
            names = "--results",
            defaultValue = "benchmarks/results",
            description = "The directory of all results (default: ${DEFAULT-VALUE})")
    private Path results = Path.of("benchmarks/results");

    @Option(
            names = "--page",
            defaultValue = "docs/performance.md",
            description = "The page; its figures are in the directory figures beside it (default: ${DEFAULT-VALUE})")
    private Path page = Path.of("docs/performance.md");

    @Override
    public Integer call() throws Exception {
        PageReport.render(page, results);
        System.out.println("The tables and figures of " + page + " are those of " + results);
        return 0;
    }
}
