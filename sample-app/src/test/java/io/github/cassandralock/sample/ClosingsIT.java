package io.github.cassandralock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The scheduled job: one run per slot of time, whichever instance comes first. */
@ExtendWith(TwoBanks.Resolver.class)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ClosingsIT {

    private static final int SLOTS = 5;

    private final TwoBanks banks;

    ClosingsIT(TwoBanks banks) {
        this.banks = banks;
    }

    @Test
    void everySlotIsClosedOnceThoughBothInstancesTry() throws Exception {
        String before = latestSlot();
        List<String> slots = new ArrayList<>();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            slots.clear();
            for (JsonNode closing : closings()) {
                slots.add(closing.path("slot").asText());
            }
            assertThat(slots.indexOf(before)).isGreaterThanOrEqualTo(SLOTS);
        });
        assertThat(slots).doesNotHaveDuplicates();
    }

    private String latestSlot() throws IOException, InterruptedException {
        await().atMost(Duration.ofSeconds(30)).until(() -> !closings().isEmpty());
        return Objects.requireNonNull(closings().get(0)).path("slot").asText();
    }

    private JsonNode closings() throws IOException, InterruptedException {
        return banks.second().get("/closings").body();
    }
}
