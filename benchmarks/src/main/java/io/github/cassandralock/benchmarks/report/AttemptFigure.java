package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.benchmarks.measurement.Grant;
import io.github.cassandralock.benchmarks.measurement.Stretch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The thesis's figures 1 and 2: when each attempt of each process succeeded. */
public final class AttemptFigure {

    private static final double NANOS_PER_MILLI = 1e6;

    private AttemptFigure() {}

    /** The stretches as if they had followed one another without a pause. */
    public static LineFigure of(String title, List<Stretch> stretches) {
        Map<Integer, List<Double>> lines = new TreeMap<>();
        long before = 0;
        for (Stretch stretch : stretches) {
            for (Grant grant : stretch.grants()) {
                lines.computeIfAbsent(grant.process(), process -> new ArrayList<>())
                        .add((before + grant.enteredAt() - stretch.startedAt()) / NANOS_PER_MILLI);
            }
            before += stretch.nanos();
        }
        LineFigure figure = new LineFigure(title, "attempt", "ms since the start");
        lines.forEach((process, line) -> figure.add("process " + process, line));
        return figure;
    }
}
