package io.github.cassandralock.internal.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.seeded.FaultSearch;
import io.github.cassandralock.internal.seeded.KnownSeeds;
import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import io.github.cassandralock.internal.simulation.Violation;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds faults of the algorithm {@code migration}, which are planted one at a time. */
class MigrationMutantsTest {

    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 20_000, System.getProperties());
    private static final FaultSearch SEARCH = new FaultSearch(KnownSeeds.beside(Schedules.class), SEEDS);

    @TempDir
    private Path workDirectory;

    private static Stream<Fault> faults() {
        return Stream.of(
                Fault.of(
                                Schedules.MIGRATION_TOKENS,
                                Violation.TOKEN_ORDER,
                                "migration: a token of one half, although both halves have some")
                        .in("migration.MigrationGrant", "reserveFencingToken")
                        .body("return ofTheHalfThatHasThem();"),
                Fault.of(Schedules.MIGRATION, Violation.TWO_HOLDERS, "migration: the old half is not taken")
                        .in("migration.MigrationAttempt", "takeOldHalf")
                        .body("outcome.complete(Optional.of(newHalf));"),
                Fault.of(
                                Schedules.MIGRATION_HALF_LOST,
                                Violation.TWO_HOLDERS,
                                "migration: a lock with one half is held")
                        .in("migration.MigrationGrant", "isValid")
                        .body("return newHalf.isValid() || oldHalf.isValid();"),
                Fault.of(
                                Schedules.MIGRATION,
                                Violation.NOT_SERVED,
                                "migration: the majority has the tables of the ticket lock in one of its clusters")
                        .in("simulation.FleetWorld", "majority")
                        .replacing(
                                "new Cluster(\"cluster-\" + seen.size(), lock, lock, lock)",
                                "new Cluster(\"cluster-\" + seen.size(), seen.isEmpty() ? ticket(process) : lock, lock, lock)"));
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("faults")
    void simulationReportsThePlantedFaultAsTheViolationThatItCauses(Fault fault) throws Exception {
        assertThat(SEARCH.in(fault, workDirectory))
                .as("%s with the fault '%s'", fault.expected(), fault.name())
                .isPresent();
    }
}
