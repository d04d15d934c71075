package io.github.cassandralock.exactlyonce.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Fault;
import io.github.cassandralock.internal.seeded.FaultSearch;
import io.github.cassandralock.internal.seeded.KnownSeeds;
import io.github.cassandralock.internal.seeded.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
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

    private static Stream<Fault> allFaults() {
        return Stream.of(
                        RegisterMutants.all(),
                        QueueMutants.all(),
                        HandlerMutants.all(),
                        ParkingMutants.all(),
                        SinkMutants.all(),
                        RenameMutants.all(),
                        TableMutants.all())
                .flatMap(faults -> faults);
    }

    static Stream<Fault> plantedFaults() {
        return FaultSearch.ofThisRun(allFaults());
    }

    @ParameterizedTest
    @Tag("slow")
    @MethodSource("plantedFaults")
    void plantedFaultIsCaught(Fault fault, @TempDir Path directory) throws Exception {
        assertThat(SEARCH.in(fault, directory))
                .as(
                        "%s, which %d schedules should show of the fault '%s'; if not, the simulation has lost its teeth",
                        fault.expected(), SEEDS.count(), fault)
                .isPresent();
    }

    @Test
    void documentationHasEachFaultWithItsViolation() throws IOException {
        List<String> documented = Files.readAllLines(Path.of("..", "docs", "exactly-once.md")).stream()
                .filter(line -> line.matches("\\| [a-z]+: .* \\|"))
                .toList();
        assertThat(documented)
                .containsExactlyElementsOf(
                        allFaults().map(ExactlyOnceMutantsTest::asRow).toList());
    }

    private static String asRow(Fault fault) {
        String violation = fault.expected().toString().toLowerCase(Locale.ROOT).replace('_', ' ');
        return "| " + fault.name() + " | " + violation + " |";
    }
}
