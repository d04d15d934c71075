package io.github.cassandralock.sample;

import static io.github.cassandralock.sample.BankReply.json;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.cassandra.core.cql.CqlTemplate;

/** The thesis's example: no money is paid out twice. */
@ExtendWith({TwoBanks.Resolver.class, OutputCaptureExtension.class})
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MoneyIT {

    private static final int ROUNDS = 20;
    private static final String PROBLEM = "application/problem+json";

    private final TwoBanks banks;
    private final String id = "alice-" + UUID.randomUUID();
    private final String account = "/accounts/" + id;

    MoneyIT(TwoBanks banks) {
        this.banks = banks;
    }

    @Test
    void onlyOneOfTwoSimultaneousWithdrawalsSucceedsOnOneInstance() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            onlyOneWithdrawalSucceeds(banks.first(), banks.first());
        }
    }

    @Test
    void onlyOneOfTwoSimultaneousWithdrawalsSucceedsOnTwoInstances() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            onlyOneWithdrawalSucceeds(banks.first(), banks.second());
        }
    }

    private void onlyOneWithdrawalSucceeds(BankInstance one, BankInstance other) throws Exception {
        assertThat(one.post(account + "/deposits?amount=200").status()).isEqualTo(200);

        List<CompletableFuture<BankReply>> sent = Stream.of(one, other)
                .map(bank -> bank.postAsync(account + "/withdrawals?amount=150"))
                .toList();
        List<BankReply> replies = sent.stream().map(CompletableFuture::join).toList();

        assertThat(replies).extracting(BankReply::status).containsExactlyInAnyOrder(200, 409);
        assertThat(replies)
                .filteredOn(reply -> reply.status() == 409)
                .extracting(BankReply::contentType)
                .containsExactly(PROBLEM);
        assertThat(one.get(account).body()).isEqualTo(withBalance(50));
        assertThat(other.get(account).body()).isEqualTo(withBalance(50));
        assertThat(other.post(account + "/withdrawals?amount=50").body()).isEqualTo(withBalance(0));
    }

    @Test
    void manyDepositsOnTwoInstancesAllCount() throws Exception {
        List<CompletableFuture<BankReply>> sent = Stream.generate(() -> Stream.of(banks.first(), banks.second()))
                .limit(ROUNDS)
                .flatMap(both -> both)
                .map(bank -> bank.postAsync(account + "/deposits?amount=1"))
                .toList();
        assertThat(sent).extracting(reply -> reply.join().status()).containsOnly(200);
        assertThat(banks.first().get(account).body()).isEqualTo(withBalance(2 * ROUNDS));
    }

    @Test
    void bookingsAreLoggedInTheirOrderByAnAspectUnderTheLock(CapturedOutput output) {
        List<CompletableFuture<BankReply>> sent = Stream.generate(
                        () -> banks.first().postAsync(account + "/deposits?amount=1"))
                .limit(ROUNDS)
                .toList();
        assertThat(sent).extracting(reply -> reply.join().status()).containsOnly(200);
        assertThat(output.getOut().lines().filter(line -> line.contains("'" + id + "'")))
                .hasSize(ROUNDS)
                .satisfies(all -> {
                    List<String> lines = List.copyOf(all);
                    for (int booking = 1; booking <= ROUNDS; booking++) {
                        assertThat(lines.get(booking - 1)).endsWith("now holds " + booking);
                    }
                });
    }

    @Test
    void aDepositCountsThoughTheLastWriterWasAnHourAhead() throws Exception {
        long future = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().plus(Duration.ofHours(1)));
        banks.context()
                .getBean(CqlTemplate.class)
                .execute("INSERT INTO accounts (id, balance) VALUES (?, 200) USING TIMESTAMP ?", id, future);

        banks.first().post(account + "/deposits?amount=5");
        banks.second().post(account + "/withdrawals?amount=150");

        assertThat(banks.first().get(account).body()).isEqualTo(withBalance(55));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-5", "many", "1.5", "", "1000000001", "99999999999999999999"})
    void aBadAmountIsRefusedAndMovesNothing(String amount) throws Exception {
        banks.first().post(account + "/deposits?amount=200");

        for (String movement : List.of("/deposits", "/withdrawals", "/transfers/bob")) {
            BankReply reply = banks.first().post(account + movement + "?amount=" + amount);
            assertThat(reply.status()).isEqualTo(400);
            assertThat(reply.contentType()).isEqualTo(PROBLEM);
            assertThat(reply.body().path("detail").asText()).contains("whole number", "'" + amount + "'");
        }
        assertThat(banks.first().get(account).body()).isEqualTo(withBalance(200));
    }

    @Test
    void aMissingAmountIsRefused() {
        BankReply reply = banks.first().post(account + "/deposits");
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.contentType()).isEqualTo(PROBLEM);
    }

    @Test
    void anUnknownAccountIsNotFound() throws Exception {
        List<BankReply> replies = List.of(
                banks.first().get(account),
                banks.first().post(account + "/withdrawals?amount=1"),
                banks.first().post(account + "/notifications"));
        assertThat(replies).extracting(BankReply::status).containsOnly(404);
        assertThat(replies).extracting(BankReply::contentType).containsOnly(PROBLEM);
        assertThat(replies)
                .extracting(reply -> reply.body().path("title").asText())
                .containsOnly("Unknown account");
    }

    private Object withBalance(long balance) {
        return json("{\"id\":\"" + id + "\",\"balance\":" + balance + "}");
    }
}
