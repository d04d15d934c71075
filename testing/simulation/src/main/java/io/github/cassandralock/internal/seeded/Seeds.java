package io.github.cassandralock.internal.seeded;

import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The seeds of one run. A build uses the same seeds every time. With {@code -Dsimulation.schedules=1000000}, a run uses that many
 * seeds that were never used before, unless {@code -Dsimulation.firstSeed=S} gives the first one.
 */
public record Seeds(long first, int count) {

    private static final Logger log = LoggerFactory.getLogger(Seeds.class);

    /** Draws a seed that has hardly ever been used before. */
    private static final int FRESH_BITS = 62;

    /** How many seeds run before the next ones begin, so that all processors work on the lowest seeds. */
    private static final int BATCH = 64;

    /** The violations of one seed. */
    public record Finding(long seed, List<String> violations) {}

    /** @param inEveryBuild how many there are unless a property says otherwise */
    public static Seeds of(int inEveryBuild) {
        return of("simulation", inEveryBuild, System.getProperties());
    }

    /**
     * @param prefix of the properties that say where to begin and how many there are
     * @param inEveryBuild how many there are unless a property says otherwise
     */
    public static Seeds of(String prefix, int inEveryBuild, Properties properties) {
        String count = properties.getProperty(prefix + ".schedules");
        String first = properties.getProperty(prefix + ".firstSeed");
        Seeds seeds = new Seeds(
                first != null ? Long.parseLong(first) : count != null ? fresh() : 1,
                count == null ? inEveryBuild : Integer.parseInt(count));
        if (first == null && count != null) {
            log.info("The first of {} seeds is {}", seeds.count, seeds.first);
        }
        return seeds;
    }

    private static long fresh() {
        return new SecureRandom().nextLong() >>> (Long.SIZE - FRESH_BITS);
    }

    /** Returns the first part of these seeds, at least one. */
    public Seeds part(int divisor) {
        return new Seeds(first, Math.max(1, count / divisor));
    }

    public LongStream stream() {
        return LongStream.range(first, first + count);
    }

    /** Runs a schedule with each seed, on all processors, until one has violations. Returns the lowest seed that has. */
    public Optional<Finding> firstFinding(LongFunction<List<String>> schedule) {
        return LongStream.iterate(first, from -> from < first + count, from -> from + BATCH)
                .mapToObj(from -> firstFinding(from, schedule))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<Finding> firstFinding(long from, LongFunction<List<String>> schedule) {
        return LongStream.range(from, Math.min(from + BATCH, first + count))
                .parallel()
                .mapToObj(seed -> new Finding(seed, schedule.apply(seed)))
                .filter(finding -> !finding.violations().isEmpty())
                .findFirst();
    }

    /** The command that repeats the schedule of one seed alone. */
    public static String replay(String module, Class<?> test, long seed) {
        return "./mvnw -pl " + module + " -am test -Dtest=" + test.getSimpleName()
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dsimulation.schedules=1 -Dsimulation.firstSeed=" + seed;
    }
}
