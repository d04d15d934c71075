package io.github.cassandralock.testing.results;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What a lock costs one process, and five processes that want one lock: the row of the slowest start of each. */
final class PriceTable {

    private static final String CONTENDERS = "contenders";

    private static final List<Long> PROCESSES = List.of(1L, 5L);

    private final Starts starts;
    private final List<Result> results;

    private PriceTable(Starts starts) {
        this.starts = starts;
        results = starts.slowest(starts.experiments().get(0));
    }

    /** @param runs one for each start; none: nothing was measured yet */
    static String markdown(List<Run> runs) {
        return runs.isEmpty()
                ? "No run is committed yet.\n"
                : new PriceTable(new Starts(runs)).table().markdown();
    }

    private Table table() {
        return new Table(
                "price",
                List.of("", "1 process", "5 processes that compete for it"),
                List.of(
                        row("mean time to get the lock", "ticket", PriceTable::mean),
                        row("with notices", "ticket-notices", PriceTable::mean),
                        row("requests per lock", "ticket", PriceTable::requests),
                        row("with notices", "ticket-notices", PriceTable::requests),
                        row("rate, times Curator's", "ticket", this::ratio),
                        row("with notices", "ticket-notices", this::ratio)));
    }

    private List<String> row(String name, String algorithm, Function<Result, String> figure) {
        List<String> cells = new ArrayList<>(List.of(name));
        for (Long processes : PROCESSES) {
            cells.add(results.stream()
                    .filter(result -> result.algorithm().equals(algorithm)
                            && processes.equals(result.point().get(CONTENDERS)))
                    .findFirst()
                    .map(figure)
                    .orElse(""));
        }
        return cells;
    }

    private static String mean(Result result) {
        return Table.number(result.figures().meanMs()) + " ms";
    }

    private static String requests(Result result) {
        return Table.number(result.figures().dbOpsPerLock());
    }

    private String ratio(Result result) {
        return Table.number(starts.lowestRatio(result, ResultTables.REFERENCE).orElse(Double.NaN));
    }
}
