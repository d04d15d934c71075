package io.github.cassandralock.testing.results;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the processors did while locks were counted. Not a number: the operating system does not show it.
 *
 * @param serverMsPerLock computing time of all servers of the algorithm for one lock, in milliseconds
 * @param clientMsPerLock computing time of all clients for one lock, in milliseconds
 * @param compilers computing time of the compilers of all processes, as a share of one processor
 * @param collectors computing time of the garbage collectors of all processes, as a share of one processor
 */
public record Usage(double serverMsPerLock, double clientMsPerLock, double compilers, double collectors) {

    public static final Usage UNKNOWN = new Usage(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    static Usage medians(List<Usage> all) {
        return new Usage(
                median(all, Usage::serverMsPerLock),
                median(all, Usage::clientMsPerLock),
                median(all, Usage::compilers),
                median(all, Usage::collectors));
    }

    private static double median(List<Usage> all, ToDoubleFunction<Usage> figure) {
        return Result.median(all.stream().mapToDouble(figure));
    }
}
