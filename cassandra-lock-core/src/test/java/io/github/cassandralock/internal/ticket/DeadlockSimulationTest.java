package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.deadlock.DeadlockSettings;
import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.DeadlockWorld;
import io.github.cassandralock.internal.simulation.Schedules;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Deadlocks in a simulated world (lock modes, section 7). */
class DeadlockSimulationTest extends ScheduleRuns {

    private static final DeadlockSettings SETTINGS = new DeadlockSettings(Duration.ofSeconds(1), Duration.ofSeconds(1));

    @Test
    void everyDeadlockIsFoundNoneIsToldThatIsNotThereAndOneCallOfEachIsEnded() {
        nothingBadHappens(Schedules.DEADLOCKS, Seeds.of(100));
    }

    @Test
    void everyDeadlockOfPermitsIsFoundAndNoneIsToldThatIsNotThere() {
        nothingBadHappens(Schedules.DEADLOCKS_OF_PERMITS, Seeds.of(40));
    }

    @Test
    void noDeadlockIsToldThatIsNotThereBesideAVersionWithoutPermits() {
        nothingBadHappens(Schedules.DEADLOCKS_OF_TWO_VERSIONS, Seeds.of(30));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void deadlockIsFoundAfterASecondAndFiveIntervalsHoweverManyPermitsItNeeds(int permits) {
        new Seeds(1, 10)
                .stream()
                        .forEach(seed -> assertThat(DeadlockWorld.untilFound(seed, permits, SETTINGS))
                                .as("the time in which a deadlock through %s permits is found, seed %s", permits, seed)
                                .isBetween(
                                        SETTINGS.checkAfter(),
                                        SETTINGS.checkAfter()
                                                .plus(SETTINGS.checkInterval().multipliedBy(6))));
    }
}
