package io.github.cassandralock.internal.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.KnownSeeds;
import io.github.cassandralock.internal.seeded.Mutant;
import io.github.cassandralock.internal.seeded.MutantSearch;
import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds faults of the algorithm {@code migration}, which are planted one at a time. */
class MigrationMutantsTest {

    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 20_000, System.getProperties());
    private static final MutantSearch SEARCH = new MutantSearch(KnownSeeds.beside(Schedules.class), SEEDS);

    @TempDir
    private Path workDirectory;

    private static Stream<Mutant> faults() {
        return Stream.of(
                Mutant.of(
                        Schedules.MIGRATION_TOKENS,
                        Violation.TOKEN_ORDER,
                        "migration: a token of one half, although both halves have some",
                        "migration.MigrationGrant",
                        "case OF_THE_HALF_THAT_HAS_THEM -> ofTheHalfThatHasThem(); case NONE ->",
                        "case OF_THE_HALF_THAT_HAS_THEM, NONE -> ofTheHalfThatHasThem(); default ->"),
                Mutant.of(
                        Schedules.MIGRATION,
                        Violation.TWO_HOLDERS,
                        "migration: the old half is not taken",
                        "migration.MigrationAttempt",
                        "takeOldHalf(newHalf);",
                        "outcome.complete(Optional.of(newHalf));"),
                Mutant.of(
                        Schedules.MIGRATION_HALF_LOST,
                        Violation.TWO_HOLDERS,
                        "migration: a lock with one half is held",
                        "migration.MigrationGrant",
                        "newHalf.isValid() && oldHalf.isValid()",
                        "newHalf.isValid() || oldHalf.isValid()"),
                Mutant.of(
                        Schedules.MIGRATION,
                        Violation.NOT_SERVED,
                        "migration: the majority has the tables of the ticket lock in one of its clusters",
                        "simulation.FleetWorld",
                        "new Cluster(\"cluster-\" + seen.size(), lock, lock, lock)",
                        "new Cluster(\"cluster-\" + seen.size(), seen.isEmpty() ? ticket(process) : lock, lock, lock)"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void simulationReportsThePlantedFaultAsTheViolationThatItCauses(Mutant mutant) throws Exception {
        assertThat(SEARCH.in(mutant, workDirectory))
                .as("%s with the fault '%s'", mutant.expected(), mutant.name())
                .isPresent();
    }
}
