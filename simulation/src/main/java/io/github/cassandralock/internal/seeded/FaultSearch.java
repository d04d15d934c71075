package io.github.cassandralock.internal.seeded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/**
 * Looks for a planted fault: at a seed that is known to show it, then at all seeds.
 *
 * @param known seeds
 * @param all seeds
 */
public record FaultSearch(KnownSeeds known, Seeds all) {

    /** The first seed at which the fault causes the violation that it must cause. */
    public Optional<Seeds.Finding> in(Fault fault, Path workDirectory) throws IOException {
        LongFunction<List<String>> schedules = fault.plantedIn(workDirectory);
        return Stream.concat(known.seedOf(fault.name()).stream().mapToObj(seed -> new Seeds(seed, 1)), Stream.of(all))
                .map(seeds -> seeds.firstFinding(seed -> fault.expected().among(schedules.apply(seed))))
                .flatMap(Optional::stream)
                .findFirst();
    }
}
