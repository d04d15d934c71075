package io.github.cassandralock.internal.seeded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
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

    /** The first seed at which the fault causes the violation that it must cause. */
    public Optional<Seeds.Finding> in(Fault fault, Path workDirectory) throws IOException {
        return in(fault.name(), fault.expected(), fault.plantedIn(workDirectory));
    }

    /** The first seed at which the mutant causes the violation that it must cause. */
    public Optional<Seeds.Finding> in(Mutant mutant, Path workDirectory) throws IOException {
        return in(mutant.name(), mutant.expected(), mutant.in(workDirectory));
    }

    private Optional<Seeds.Finding> in(String fault, ViolationKind expected, LongFunction<List<String>> schedules) {
        Optional<Seeds.Finding> caught = Stream.concat(
                        known.seedOf(fault).stream().mapToObj(seed -> new Seeds(seed, 1)), Stream.of(all))
                .map(seeds -> seeds.firstFinding(seed -> expected.among(schedules.apply(seed))))
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
