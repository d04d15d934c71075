package io.github.cassandralock.internal.majority;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.simulation.KnownSeeds;
import io.github.cassandralock.internal.simulation.Mutant;
import io.github.cassandralock.internal.simulation.Seeds;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds faults of the algorithm {@code majority}, which are planted one at a time. */
class MajorityMutantsTest {

    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 20_000, System.getProperties());
    private static final KnownSeeds KNOWN = KnownSeeds.read();

    @TempDir
    private Path workDirectory;

    private static Stream<Mutant> faults() {
        return MajorityMutants.all();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void simulationReportsThePlantedFaultAsTheViolationThatItCauses(Mutant mutant) throws Exception {
        LongFunction<List<String>> schedule = mutant.in(workDirectory);
        LongFunction<List<String>> expected = seed -> mutant.expected().among(schedule.apply(seed));
        Optional<Seeds.Finding> known = KNOWN.seedOf(mutant).isPresent()
                ? new Seeds(KNOWN.seedOf(mutant).getAsLong(), 1).firstFinding(expected)
                : Optional.empty();
        assertThat(known.or(() -> SEEDS.firstFinding(expected)))
                .as("%s with the fault '%s'", mutant.expected(), mutant.name())
                .isPresent();
    }
}
