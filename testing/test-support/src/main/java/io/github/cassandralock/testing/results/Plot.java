package io.github.cassandralock.testing.results;

import java.util.List;
import java.util.stream.Collectors;

/** What a page shows as bars beside its table. */
public enum Plot {
    LATENCY("latency", "Mean time to get a lock, ms"),
    COST("cost", "Processor time for a lock, servers and clients, ms");

    private final String suffix;
    private final String title;

    Plot(String suffix, String title) {
        this.suffix = suffix;
        this.title = title;
    }

    public String title() {
        return title;
    }

    public double of(Result row) {
        return switch (this) {
            case LATENCY -> row.figures().meanMs();
            case COST -> row.usage().serverMsPerLock() + row.usage().clientMsPerLock();
        };
    }

    /** The name of its file among the figures of a page. */
    public String file(String results) {
        return results + "-" + suffix + ".svg";
    }

    /** Shows the file, with the numbers for readers who do not see it. */
    String markdown(String results, List<Result> rows) {
        String numbers = rows.stream()
                .map(row -> row.place() + ", " + row.algorithm() + " " + Table.number(of(row)))
                .collect(Collectors.joining("; "));
        return "![" + title + ": " + numbers + "](figures/" + file(results) + ")\n";
    }
}
