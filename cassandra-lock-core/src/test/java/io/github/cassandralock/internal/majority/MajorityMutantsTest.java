package io.github.cassandralock.internal.majority;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.seeded.FaultSearch;
import io.github.cassandralock.internal.seeded.KnownSeeds;
import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The simulation finds faults of the algorithm {@code majority}, which are planted one at a time. */
class MajorityMutantsTest {

    private static final Seeds SEEDS = Seeds.of("simulation.mutants", 20_000, System.getProperties());
    private static final FaultSearch SEARCH = new FaultSearch(KnownSeeds.beside(Schedules.class), SEEDS);

    @TempDir
    private Path workDirectory;

    private static Stream<Fault> faults() {
        return FaultSearch.ofThisRun(MajorityMutants.all());
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
