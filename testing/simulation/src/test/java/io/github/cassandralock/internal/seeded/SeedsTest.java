package io.github.cassandralock.internal.seeded;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class SeedsTest {

    private static Seeds with(String... properties) {
        Properties given = new Properties();
        for (int i = 0; i < properties.length; i += 2) {
            given.setProperty("simulation." + properties[i], properties[i + 1]);
        }
        return Seeds.of("simulation", 20, given);
    }

    @Test
    void buildsRunTheSameSeedsEveryTime() {
        assertThat(with()).isEqualTo(new Seeds(1, 20));
    }

    @Test
    void longRunsBeginAtASeedThatWasNeverUsed() {
        Seeds one = with("schedules", "1000000");
        Seeds other = with("schedules", "1000000");
        assertThat(one.count()).isEqualTo(1_000_000);
        assertThat(Math.abs(one.first() - other.first()))
                .as("the distance of two long runs, which began at %d and %d", one.first(), other.first())
                .isGreaterThan(1_000_000);
    }

    @Test
    void replayRunsTheSeedThatItNames() {
        assertThat(with("schedules", "1", "firstSeed", "42")).isEqualTo(new Seeds(42, 1));
        assertThat(Seeds.replay("a-module", SeedsTest.class, 42))
                .contains("-Dtest=SeedsTest", "-Dsimulation.schedules=1", "-Dsimulation.firstSeed=42");
    }

    @Test
    void ofSeveralFindingsTheLowestSeedIsReported() {
        assertThat(new Seeds(1, 1_000).firstFinding(seed -> seed % 7 == 0 ? List.of("found") : List.of()))
                .contains(new Seeds.Finding(7, List.of("found")));
    }
}
