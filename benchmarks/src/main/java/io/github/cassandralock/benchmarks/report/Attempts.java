package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.testing.statistics.Grant;
import io.github.cassandralock.testing.statistics.Turn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A row of {@code attempts.json}: when attempts of one process succeeded, as in the thesis's figures 1 and 2.
 *
 * @param algorithm who gave the lock
 * @param process from 1
 * @param every so many attempts have one entry
 * @param millis since the start, for each of these attempts
 */
public record Attempts(String algorithm, int process, int every, List<Double> millis) {

    /** The name of the file. */
    public static final String FILE = "attempts.json";

    private static final int EVERY = 10;
    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * A row for each process.
     *
     * @param most later attempts are left out
     */
    public static List<Attempts> of(String algorithm, Turn turn, int most) {
        Map<Integer, List<Double>> all = new TreeMap<>();
        for (Grant grant : turn.grants()) {
            all.computeIfAbsent(grant.process(), process -> new ArrayList<>())
                    .add(Math.round((grant.enteredAt() - turn.startedAt()) / NANOS_PER_MILLI * 10) / 10.0);
        }
        return all.entrySet().stream()
                .map(line -> new Attempts(algorithm, line.getKey(), EVERY, thinned(line.getValue(), most)))
                .toList();
    }

    private static List<Double> thinned(List<Double> millis, int most) {
        List<Double> kept = new ArrayList<>();
        for (int attempt = EVERY; attempt <= Math.min(most, millis.size()); attempt += EVERY) {
            kept.add(millis.get(attempt - 1));
        }
        return kept;
    }

    /** Draws the figures of all algorithms in the file of a start: figure-1.svg and so on, in their order. */
    public static void draw(Report start, Report figures) throws IOException {
        List<Attempts> all = start.rows(FILE, Attempts[].class);
        int number = 1;
        for (String algorithm : all.stream().map(Attempts::algorithm).distinct().toList()) {
            LineFigure figure =
                    new LineFigure("When each attempt succeeded, " + algorithm, "attempt", "ms since the start");
            all.stream()
                    .filter(line ->
                            line.algorithm().equals(algorithm) && !line.millis().isEmpty())
                    .forEach(line -> figure.add("process " + line.process(), line.every(), line.millis()));
            figures.figure("figure-" + number + ".svg", figure);
            number++;
        }
    }
}
