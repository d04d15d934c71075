package io.github.cassandralock.internal.seeded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for a planted fault: at a seed that is known to show it, then at all seeds. The seed that shows it is logged.
 *
 * @param known seeds
 * @param all seeds
 */
public record FaultSearch(KnownSeeds known, Seeds all) {

    private static final Logger log = LoggerFactory.getLogger(FaultSearch.class);

    /**
     * The faults of a run: those whose names begin with {@code -Dsimulation.mutants}. Without that property, a run takes one of three
     * faults, other ones each time; all of them with {@code -Dsimulation.mutants.one-of=1}.
     */
    public static Stream<Fault> ofThisRun(Stream<Fault> all) {
        String names = System.getProperty("simulation.mutants", "");
        List<Fault> faults = all.filter(fault -> fault.name().startsWith(names)).toList();
        int step = names.isEmpty() ? Integer.getInteger("simulation.mutants.one-of", 3) : 1;
        int first = ThreadLocalRandom.current().nextInt(step);
        return IntStream.range(0, faults.size())
                .filter(number -> number % step == first)
                .mapToObj(faults::get);
    }

    /** The first seed at which the fault causes the violation that it must cause. */
    public Optional<Seeds.Finding> in(Fault fault, Path workDirectory) throws IOException {
        LongFunction<List<String>> schedules = fault.plantedIn(workDirectory);
        Optional<Seeds.Finding> caught = Stream.concat(
                        known.seedOf(fault.name()).stream().mapToObj(seed -> new Seeds(seed, 1)), Stream.of(all))
                .map(seeds -> seeds.firstFinding(seed -> fault.expected().among(schedules.apply(seed))))
                .flatMap(Optional::stream)
                .findFirst();
        caught.ifPresent(finding -> log.info(
                "Caught '{}' with seed {}: {}",
                fault,
                finding.seed(),
                finding.violations().get(0)));
        return caught;
    }
}
