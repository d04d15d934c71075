package io.github.cassandralock.exactlyonce.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.FaultSearch;
import io.github.cassandralock.internal.seeded.KnownSeeds;
import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.seeded.Seeds;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The simulation finds faults of the protocol that are easily made (docs/exactly-once.md, section 7), planted one at a time.
 * {@code -Dsimulation.mutants.known=false} searches from the first seed.
 */
class ExactlyOnceMutantsTest {

    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 20_000, System.getProperties());
    private static final FaultSearch SEARCH = new FaultSearch(KnownSeeds.beside(Schedules.class), SEEDS);

    /** All mutants, or those whose names begin with the value of {@code -Dsimulation.mutants}. */
    static Stream<Mutant> plantedFaults() {
        return Stream.of(
                        RegisterMutants.all(),
                        QueueMutants.all(),
                        HandlerMutants.all(),
                        ParkingMutants.all(),
                        SinkMutants.all(),
                        RenameMutants.all())
                .flatMap(mutants -> mutants)
                .filter(mutant -> mutant.name().startsWith(System.getProperty("simulation.mutants", "")));
    }

    @ParameterizedTest
    @MethodSource("plantedFaults")
    void plantedFaultIsCaught(Mutant mutant, @TempDir Path directory) throws Exception {
        assertThat(SEARCH.in(mutant, directory))
                .as(
                        "%s, which %d schedules should show of the mutant '%s'; if not, the simulation has lost its teeth",
                        mutant.expected(), SEEDS.count(), mutant)
                .isPresent();
    }
}
