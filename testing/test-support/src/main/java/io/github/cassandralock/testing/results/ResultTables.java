package io.github.cassandralock.testing.results;

import io.github.cassandralock.testing.statistics.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Makes the conditions, warnings and tables of a page from the files of one or several starts. */
public final class ResultTables {

    /** The experiment of the thesis. Its first table has a row for each number of processes. */
    private static final String THESIS = "thesis";

    private static final String REFERENCE = "curator";

    private static final String PROCESSES = "processes";

    private final Starts starts;

    private ResultTables(Starts starts) {
        this.starts = starts;
    }

    /**
     * Conditions, warnings, and a table for each experiment.
     *
     * @param runs one for each start; none: nothing was measured yet
     */
    public static String markdown(List<Run> runs) {
        return runs.isEmpty() ? "Not measured by these rules yet.\n" : new ResultTables(new Starts(runs)).markdown();
    }

    /** The rows of the first table. */
    public static List<Result> rowsOfFirstExperiment(List<Run> runs) {
        Starts starts = new Starts(runs);
        return starts.slowest(starts.experiments().get(0));
    }

    private String markdown() {
        List<String> parts = new ArrayList<>();
        parts.add(conditions());
        starts.notes().forEach(note -> parts.add("**" + note + "**\n"));
        List<String> experiments = starts.experiments();
        for (String experiment : experiments) {
            if (experiments.size() > 1) {
                parts.add("**" + experiment + "**\n");
            }
            List<Result> rows = starts.slowest(experiment);
            if (experiment.equals(THESIS)) {
                parts.add(thesis(rows).markdown());
            }
            parts.add(all(experiment, rows).markdown());
        }
        return String.join("\n", parts);
    }

    private String conditions() {
        Run first = starts.runs().get(0);
        int count = starts.runs().size();
        String which = count == 1 ? "One start" : "The slowest of " + count + " fresh starts";
        return which + ", " + first.layout() + ". "
                + starts.runs().stream()
                        .map(run -> run.date() + ", commit " + run.commit() + ", `" + String.join(" ", run.options())
                                + "`, " + run.machine())
                        .distinct()
                        .collect(Collectors.joining("; "))
                + ".\n";
    }

    /** The thesis's layout: processes down, algorithms across, mean and maximum. */
    private static Table thesis(List<Result> results) {
        List<String> algorithms =
                results.stream().map(Result::algorithm).distinct().toList();
        List<String> head = new ArrayList<>(List.of(PROCESSES));
        algorithms.forEach(algorithm -> head.add("mean, `" + algorithm + "`"));
        algorithms.forEach(algorithm -> head.add("max, `" + algorithm + "`"));
        List<List<String>> rows = new ArrayList<>();
        for (Long processes : results.stream()
                .map(result -> result.point().get(PROCESSES))
                .distinct()
                .toList()) {
            List<String> row = new ArrayList<>(List.of(String.valueOf(processes)));
            algorithms.forEach(algorithm -> row.add(millis(results, algorithm, processes, Figures::meanMs)));
            algorithms.forEach(algorithm -> row.add(millis(results, algorithm, processes, Figures::maxMs)));
            rows.add(row);
        }
        return new Table(THESIS, head, rows);
    }

    private static String millis(
            List<Result> results, String algorithm, Long processes, ToDoubleFunction<Figures> figure) {
        return results.stream()
                .filter(result -> result.algorithm().equals(algorithm)
                        && processes.equals(result.point().get(PROCESSES)))
                .findFirst()
                .map(result -> Table.number(figure.applyAsDouble(result.figures())) + " ms")
                .orElse("");
    }

    private Table all(String experiment, List<Result> results) {
        boolean compared =
                results.stream().anyMatch(result -> result.algorithm().equals(REFERENCE));
        List<String> head = new ArrayList<>(results.get(0).point().keySet());
        head.addAll(List.of("algorithm", "locks/s", "lowest to highest turn"));
        if (compared) {
            head.add("times " + REFERENCE);
        }
        head.addAll(List.of(
                "server ms/lock",
                "client ms/lock",
                "compilers",
                "collectors",
                "mean ms",
                "p50 ms",
                "p99 ms",
                "max ms",
                "hand-over ms",
                "operations/lock",
                "changed hands",
                "violations",
                "warm"));
        return new Table(
                experiment,
                head,
                results.stream().map(result -> row(result, compared)).toList());
    }

    private List<String> row(Result result, boolean compared) {
        List<String> row = new ArrayList<>();
        result.point().values().forEach(value -> row.add(Table.count(value)));
        row.add(result.algorithm());
        row.add(Table.number(result.rate()));
        row.add(Table.number(result.lowestPerSecond()) + " to " + Table.number(result.highestPerSecond()));
        if (compared) {
            row.add(Table.number(starts.lowestRatio(result, REFERENCE).orElse(Double.NaN)));
        }
        Usage usage = result.usage();
        row.add(Table.number(usage.serverMsPerLock()));
        row.add(Table.number(usage.clientMsPerLock()));
        row.add(Table.percent(usage.compilers()));
        row.add(Table.percent(usage.collectors()));
        Figures figures = result.figures();
        row.add(Table.number(figures.meanMs()));
        row.add(Table.number(figures.p50Ms()));
        row.add(Table.number(figures.p99Ms()));
        row.add(Table.number(figures.maxMs()));
        row.add(Table.number(result.handOverMs()));
        row.add(Table.number(figures.dbOpsPerLock()));
        row.add(Table.percent(figures.changedHands()));
        row.add(Long.toString(figures.violations()));
        row.add(result.warm() ? "yes" : "no");
        return row;
    }
}
