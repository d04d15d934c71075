package io.github.cassandralock.internal.thesis.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseSettingsTest {

    @Test
    void cellsOutliveTheLeaseByTheSecondThatExpiryMayBeEarly() {
        assertThat(new LeaseSettings(Duration.ofSeconds(15), 0.05).ttlSeconds()).isEqualTo(16);
        assertThat(new LeaseSettings(Duration.ofMillis(2_500), 0.05).ttlSeconds())
                .isEqualTo(4);
    }

    @Test
    void leaseIsCertainForItsLengthLessTheDrift() {
        assertThat(new LeaseSettings(Duration.ofSeconds(10), 0.05).certain()).isEqualTo(Duration.ofMillis(9_500));
    }

    @Test
    void cellsAreRewrittenEveryHalfLease() {
        assertThat(new LeaseSettings(Duration.ofSeconds(10), 0.05).renewal()).isEqualTo(Duration.ofSeconds(5));
    }
}
