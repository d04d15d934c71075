package io.github.cassandralock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** An SMS goes out once. */
@ExtendWith(TwoBanks.Resolver.class)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class NotificationsIT {

    private static final int CALLS = 10;

    private final TwoBanks banks;
    private final String account = "/accounts/bob-" + UUID.randomUUID();

    NotificationsIT(TwoBanks banks) {
        this.banks = banks;
    }

    @RepeatedTest(5)
    void oneOfTenSimultaneousCallsOnTwoInstancesSendsTheMessage() {
        banks.first().post(account + "/deposits?amount=1");

        List<CompletableFuture<BankReply>> sent = IntStream.range(0, CALLS)
                .mapToObj(call -> call % 2 == 0 ? banks.first() : banks.second())
                .map(bank -> bank.postAsync(account + "/notifications"))
                .toList();
        List<BankReply> replies = sent.stream().map(CompletableFuture::join).toList();

        assertThat(replies).extracting(BankReply::status).containsOnly(200);
        assertThat(replies)
                .extracting(NotificationsIT::outcome)
                .containsOnlyOnce("SENT")
                .isSubsetOf("SENT", "ALREADY_SENT", "BEING_SENT");
        BankReply sending = replies.stream()
                .filter(reply -> outcome(reply).equals("SENT"))
                .findFirst()
                .orElseThrow();
        for (BankInstance bank : List.of(banks.first(), banks.second())) {
            BankReply later = bank.post(account + "/notifications");
            assertThat(outcome(later)).isEqualTo("ALREADY_SENT");
            assertThat(later.body().path("sentBy")).isEqualTo(sending.body().path("sentBy"));
        }
    }

    private static String outcome(BankReply reply) {
        return reply.body().path("outcome").asText();
    }
}
