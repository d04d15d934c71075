package io.github.cassandralock.testing.results;

import io.github.cassandralock.testing.statistics.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the conditions, warnings and tables of a page from the files of one or several starts. */
public final class ResultTables {

    /** The experiment of the thesis. Its first table has a row for each number of processes. */
    private static final String THESIS = "thesis";

    static final String REFERENCE = "curator";

    private static final String PROCESSES = "processes";

    private final Starts starts;
    private final boolean whole;

    private ResultTables(Starts starts, boolean whole) {
        this.starts = starts;
        this.whole = whole;
    }

    /**
     * Conditions, warnings, and a table for each experiment, with the columns that a page has.
     *
     * @param runs one for each start; none: nothing was measured yet
     */
    static String ofPage(List<Run> runs) {
        return runs.isEmpty() ? "No run is committed yet.\n" : new ResultTables(new Starts(runs), false).markdown();
    }

    /**
     * Conditions, warnings, and a table for each experiment, with all columns.
     *
     * @param runs one for each start, one at least
     */
    public static String ofReport(List<Run> runs) {
        return new ResultTables(new Starts(runs), true).markdown();
    }

    /** The rows of the first table; none if nothing was measured yet. */
    public static List<Result> rowsOfPlots(List<Run> runs) {
        if (runs.isEmpty()) {
            return List.of();
        }
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
            parts.add(table(experiment, rows).markdown());
        }
        return String.join("\n", parts);
    }

    private String conditions() {
        Run first = starts.runs().get(0);
        int count = starts.runs().size();
        String which = count == 1 ? "One start" : "The slowest of " + count + " fresh starts";
        Map<String, Set<String>> startsOfSurroundings = new LinkedHashMap<>();
        starts.runs()
                .forEach(run -> startsOfSurroundings
                        .computeIfAbsent(surroundings(run), any -> new LinkedHashSet<>())
                        .add(run.date() + ", commit " + run.commit() + ", `" + String.join(" ", run.options()) + "`"));
        return which + ", " + first.layout() + ". "
                + startsOfSurroundings.entrySet().stream()
                        .map(equal -> String.join("; ", equal.getValue()) + ", " + equal.getKey())
                        .collect(Collectors.joining("; "))
                + ".\n";
    }

    /** The machine and the software. */
    private static String surroundings(Run run) {
        return Stream.concat(Stream.of(run.machine()), run.software().stream()).collect(Collectors.joining(", "));
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

    private Table table(String experiment, List<Result> results) {
        List<Column> columns = columns(results);
        return new Table(
                experiment,
                columns.stream().map(Column::head).toList(),
                results.stream()
                        .map(result -> columns.stream()
                                .map(column -> column.cell().apply(result))
                                .toList())
                        .toList());
    }

    private List<Column> columns(List<Result> results) {
        boolean compared =
                results.stream().anyMatch(result -> result.algorithm().equals(REFERENCE));
        List<Column> columns = new ArrayList<>();
        for (String varied : results.get(0).point().keySet()) {
            columns.add(new Column(varied, result -> Table.count(result.point().getOrDefault(varied, 0L))));
        }
        columns.add(new Column("algorithm", Result::algorithm));
        columns.add(number("locks/s", Result::rate));
        if (compared) {
            columns.add(number(
                    "times " + REFERENCE,
                    result -> starts.lowestRatio(result, REFERENCE).orElse(Double.NaN)));
        }
        columns.addAll(ofPages());
        if (whole) {
            columns.addAll(ofReports());
        }
        return columns;
    }

    private static List<Column> ofPages() {
        return List.of(
                number("mean ms", result -> result.figures().meanMs()),
                number("p99 ms", result -> result.figures().p99Ms()),
                number("operations/lock", result -> result.figures().dbOpsPerLock()),
                number("server ms/lock", result -> result.usage().serverMsPerLock()),
                number("client ms/lock", result -> result.usage().clientMsPerLock()),
                new Column("warm", result -> result.warm() ? "yes" : "no"));
    }

    private static List<Column> ofReports() {
        return List.of(
                new Column(
                        "lowest to highest turn",
                        result -> Table.number(result.lowestPerSecond()) + " to "
                                + Table.number(result.highestPerSecond())),
                new Column("compilers", result -> Table.percent(result.usage().compilers())),
                new Column("collectors", result -> Table.percent(result.usage().collectors())),
                number("p50 ms", result -> result.figures().p50Ms()),
                number("max ms", result -> result.figures().maxMs()),
                number("hand-over ms", Result::handOverMs),
                new Column(
                        "changed hands",
                        result -> Table.percent(result.figures().changedHands())),
                new Column(
                        "violations", result -> Long.toString(result.figures().violations())));
    }

    private record Column(String head, Function<Result, String> cell) {}

    private static Column number(String head, ToDoubleFunction<Result> figure) {
        return new Column(head, result -> Table.number(figure.applyAsDouble(result)));
    }
}
