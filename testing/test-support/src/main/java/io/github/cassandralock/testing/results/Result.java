package io.github.cassandralock.testing.results;

import io.github.cassandralock.testing.statistics.Figures;
import io.github.cassandralock.testing.statistics.Median;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * A row: what one algorithm did at one point of an experiment after one start.
 *
 * @param experiment which one it belongs to
 * @param point where it was measured: what was varied, and how much of it there was
 * @param algorithm who gave the locks
 * @param figures what a grant cost, each the median of all turns
 * @param handOverMs the median from one hold to the next that waited for it; not a number if no holder waited
 * @param lowestPerSecond the rate of the slowest turn
 * @param highestPerSecond the rate of the quickest turn
 * @param usage what the processors did, each the median of all turns
 * @param warm whether the rate had stopped rising before, and the compilers were quiet at the begin of every turn
 */
public record Result(
        String experiment,
        Map<String, Long> point,
        String algorithm,
        Figures figures,
        double handOverMs,
        double lowestPerSecond,
        double highestPerSecond,
        Usage usage,
        boolean warm) {

    /**
     * Sums up the turns.
     *
     * @param warm whether the rate had stopped rising before the first of them
     */
    public static Result of(
            String experiment, Map<String, Long> point, String algorithm, List<Measured> turns, boolean warm) {
        List<Figures> figures = turns.stream().map(Measured::figures).toList();
        return new Result(
                experiment,
                point,
                algorithm,
                Figures.medians(figures),
                median(turns.stream().mapToDouble(Measured::handOverMs)),
                figures.stream().mapToDouble(Figures::locksPerSecond).min().orElseThrow(),
                figures.stream().mapToDouble(Figures::locksPerSecond).max().orElseThrow(),
                Usage.medians(turns.stream().map(Measured::usage).toList()),
                warm && turns.stream().allMatch(Measured::quiet));
    }

    /** The median of the values that are numbers, rounded to a thousandth. */
    static double median(DoubleStream values) {
        List<Double> numbers =
                values.filter(value -> !Double.isNaN(value)).boxed().toList();
        return numbers.isEmpty() ? Double.NaN : Math.round(Median.of(numbers) * 1000) / 1000.0;
    }

    double rate() {
        return figures.locksPerSecond();
    }

    /** The point as a text, such as {@code contenders 5}. */
    public String place() {
        return point.entrySet().stream()
                .map(varied -> varied.getKey() + " " + varied.getValue())
                .collect(Collectors.joining(", "));
    }

    boolean isOfSameRow(Result other) {
        return experiment.equals(other.experiment) && point.equals(other.point) && algorithm.equals(other.algorithm);
    }
}
