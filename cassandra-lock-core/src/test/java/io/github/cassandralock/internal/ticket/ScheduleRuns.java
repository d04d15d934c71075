package io.github.cassandralock.internal.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.internal.seeded.Seeds;
import io.github.cassandralock.internal.simulation.Schedules;

/**
 * Runs schedules of the simulation. A failure prints the command that repeats its schedule; {@code -Dsimulation.schedules=1000000}
 * runs a million with seeds that were never used.
 */
abstract class ScheduleRuns {

    final void nothingBadHappens(Schedules schedules, Seeds seeds) {
        seeds.firstFinding(schedules)
                .ifPresent(finding -> assertThat(finding.violations())
                        .as(
                                "what should not have happened in %s; %s",
                                schedules, Seeds.replay("cassandra-lock-core", getClass(), finding.seed()))
                        .isEmpty());
    }
}
