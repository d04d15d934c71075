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
