package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.testing.statistics.Grant;
import io.github.cassandralock.testing.statistics.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The thesis's figures 1 and 2: when each attempt of each process succeeded. */
public final class AttemptFigure {

    private static final double NANOS_PER_MILLI = 1e6;

    private AttemptFigure() {}

    /** The turns as if they had followed one another without a pause. */
    public static LineFigure of(String title, List<Turn> turns) {
        Map<Integer, List<Double>> lines = new TreeMap<>();
        long before = 0;
        for (Turn turn : turns) {
            for (Grant grant : turn.grants()) {
                lines.computeIfAbsent(grant.process(), process -> new ArrayList<>())
                        .add((before + grant.enteredAt() - turn.startedAt()) / NANOS_PER_MILLI);
            }
            before += turn.nanos();
        }
        LineFigure figure = new LineFigure(title, "attempt", "ms since the start");
        lines.forEach((process, line) -> figure.add("process " + process, line));
        return figure;
    }
}
