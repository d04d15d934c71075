package io.github.cassandralock.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an instance shows of itself. */
@ExtendWith({TwoBanks.Resolver.class, OutputCaptureExtension.class})
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class StartIT {

    private final TwoBanks banks;

    StartIT(TwoBanks banks) {
        this.banks = banks;
    }

    @Test
    void healthIsUpWhenLocksCanBeTaken() throws Exception {
        for (BankInstance bank : List.of(banks.first(), banks.second())) {
            BankReply health = bank.get("/actuator/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.body().path("status").asText()).isEqualTo("UP");
            assertThat(health.body().at("/components/cassandraLock/status").asText())
                    .isEqualTo("UP");
        }
    }

    @Test
    void theLogEndsInWhatToTry(CapturedOutput output) {
        banks.context().getBean(WhatToTry.class).say();
        assertThat(output.getOut())
                .contains("http://localhost:" + banks.first().port() + "/accounts/alice/withdrawals?amount=150' & curl")
                .contains(
                        "--server.port=0 --spring.cassandra.contact-points=" + TwoBanks.contactPoints(banks.context()));
    }

    @Test
    void theTablesMayBeThereAlready() {
        assertThatCode(banks.context().getBean(BankSchema.class)::afterPropertiesSet)
                .doesNotThrowAnyException();
    }
}
