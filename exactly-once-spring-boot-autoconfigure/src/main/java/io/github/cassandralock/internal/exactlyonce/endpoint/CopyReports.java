package io.github.cassandralock.internal.exactlyonce.endpoint;

import io.github.cassandralock.internal.exactlyonce.CopyReport;
import io.github.cassandralock.internal.exactlyonce.LagSampler;
import io.github.cassandralock.internal.exactlyonce.Runner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What this instance runs, for operators. Does no I/O.
 *
 * @param runners called for each report
 * @param storeProblem why the store cannot be used; called for each report
 * @param lags has looked at the queues; empty if there are no meters
 */
public record CopyReports(
        Supplier<List<Runner>> runners, Supplier<Optional<String>> storeProblem, Optional<LagSampler> lags) {

    /**
     * A copy, as operators read it.
     *
     * @param kind handler, sink, pump or method
     * @param status UP, WARNING or DOWN
     * @param lag input queue → messages that waited at the last look; queues whose lag is unknown are left out
     * @param details as in the health
     */
    record Shown(String kind, String name, String status, Map<String, Long> lag, Map<String, Object> details) {}

    /** The health of all together. */
    String status() {
        return CopyReport.of(runners.get(), storeProblem.get()).status().name();
    }

    List<Shown> all() {
        return runners.get().stream().map(this::shown).toList();
    }

    private Shown shown(Runner runner) {
        CopyReport report = CopyReport.of(runner);
        return new Shown(runner.kind().text(), runner.name(), report.status().name(), lagsOf(runner), report.details());
    }

    private Map<String, Long> lagsOf(Runner runner) {
        Map<String, Long> known = new LinkedHashMap<>();
        for (String queue : runner.inputs()) {
            lags.flatMap(sampler -> sampler.lag(runner, queue)).ifPresent(lag -> known.put(queue, lag));
        }
        return known;
    }
}
