package io.github.cassandralock.faults;

import io.github.cassandralock.faults.judge.History;
import io.github.cassandralock.faults.schedule.FaultRun;
import io.github.cassandralock.faults.workload.Event;
import io.github.cassandralock.faults.workload.Outcome;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What became of the attempts to get a lock, by the fault that struck meanwhile, as a table. */
final class FaultReport {

    private static final String CALM = "none";

    private final Map<String, Row> rows = new LinkedHashMap<>();

    private static final class Row {
        private int strikes;
        private Duration longestRecovery = Duration.ZERO;
        private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    }

    private FaultReport() {}

    static String of(List<History> histories, List<FaultRun.Strike> strikes) {
        FaultReport report = new FaultReport();
        report.row(CALM);
        strikes.forEach(report::count);
        histories.stream()
                .flatMap(history -> history.events().stream())
                .flatMap(event -> event instanceof Event.Ended ended ? Stream.of(ended) : Stream.empty())
                .forEach(ended ->
                        report.row(kindAt(ended.at(), strikes)).outcomes.merge(ended.outcome(), 1, Integer::sum));
        return report.text();
    }

    private Row row(String kind) {
        return rows.computeIfAbsent(kind, ignored -> new Row());
    }

    private void count(FaultRun.Strike strike) {
        Row row = row(strike.kind());
        row.strikes++;
        row.longestRecovery = Stream.of(row.longestRecovery, strike.recovery())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private static String kindAt(long time, List<FaultRun.Strike> strikes) {
        return strikes.stream()
                .filter(strike -> strike.window().meets(time, time))
                .map(FaultRun.Strike::kind)
                .findFirst()
                .orElse(CALM);
    }

    private String text() {
        StringBuilder text =
                new StringBuilder("| fault | times | longest recovery | had and released | refused | timed out"
                        + " | lost, and told | failed, and told |\n|---|---|---|---|---|---|---|---|\n");
        rows.forEach((kind, row) -> text.append("| %s | %s | %s | %s |\n"
                .formatted(
                        kind,
                        kind.equals(CALM) ? "" : row.strikes,
                        kind.equals(CALM) ? "" : row.longestRecovery.toMillis() / 1000.0 + " s",
                        String.join(
                                " | ",
                                Stream.of(Outcome.values())
                                        .map(outcome -> Integer.toString(row.outcomes.getOrDefault(outcome, 0)))
                                        .toList()))));
        return text.toString();
    }
}
