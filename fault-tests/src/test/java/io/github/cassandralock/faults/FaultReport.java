package io.github.cassandralock.faults;

import io.github.cassandralock.faults.nemesis.Nemesis;
import io.github.cassandralock.testing.checkers.History;
import io.github.cassandralock.testing.workload.Event;
import io.github.cassandralock.testing.workload.Outcome;
import java.time.Duration;
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
        private int injections;
        private Duration longest = Duration.ZERO;
        private Duration longestRecovery = Duration.ZERO;
        private final Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    }

    private FaultReport() {}

    static String of(List<History> histories, List<Nemesis.Injection> injections) {
        FaultReport report = new FaultReport();
        report.row(CALM);
        injections.forEach(report::count);
        histories.stream()
                .flatMap(history -> history.events().stream())
                .flatMap(event -> event instanceof Event.Ended ended ? Stream.of(ended) : Stream.empty())
                .forEach(ended ->
                        report.row(kindAt(ended.at(), injections)).outcomes.merge(ended.outcome(), 1, Integer::sum));
        return report.text();
    }

    private Row row(String kind) {
        return rows.computeIfAbsent(kind, ignored -> new Row());
    }

    private void count(Nemesis.Injection inject) {
        Row row = row(inject.kind());
        row.injections++;
        row.longest = longer(row.longest, inject.lasted());
        row.longestRecovery = longer(row.longestRecovery, inject.recovery());
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static String seconds(Duration time) {
        return time.toMillis() / 1000.0 + " s";
    }

    private static String kindAt(long time, List<Nemesis.Injection> injections) {
        return injections.stream()
                .filter(inject -> inject.window().meets(time, time))
                .map(Nemesis.Injection::kind)
                .findFirst()
                .orElse(CALM);
    }

    private String text() {
        StringBuilder text = new StringBuilder(
                "| fault | times | longest | longest recovery | had and released | refused | timed out"
                        + " | lost, and told | failed, and told |\n|---|---|---|---|---|---|---|---|---|\n");
        rows.forEach((kind, row) -> text.append("| %s | %s | %s | %s | %s |\n"
                .formatted(
                        kind,
                        kind.equals(CALM) ? "" : row.injections,
                        kind.equals(CALM) ? "" : seconds(row.longest),
                        kind.equals(CALM) ? "" : seconds(row.longestRecovery),
                        String.join(
                                " | ",
                                Stream.of(Outcome.values())
                                        .map(outcome -> Integer.toString(row.outcomes.getOrDefault(outcome, 0)))
                                        .toList()))));
        return text.toString();
    }
}
