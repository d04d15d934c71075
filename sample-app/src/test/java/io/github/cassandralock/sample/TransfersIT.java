package io.github.cassandralock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Transfers on two instances in two processes. Costs a few seconds, and twenty for the instance that is killed. It fails if transfers in
 * opposite directions wait for each other, or if money is lost or made.
 */
@ExtendWith(TwoBanks.Resolver.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class TransfersIT {

    private static final int ROUNDS = 20;
    private static final int CROWD = 40;

    private final TwoBanks banks;
    private final String alice = "alice-" + UUID.randomUUID();
    private final String bob = "bob-" + UUID.randomUUID();
    private final String nobody = "nobody-" + UUID.randomUUID();

    TransfersIT(TwoBanks banks) {
        this.banks = banks;
    }

    @BeforeEach
    void openTheAccounts() {
        for (String id : List.of(alice, bob)) {
            assertThat(banks.first()
                            .post("/accounts/" + id + "/deposits?amount=1000")
                            .status())
                    .isEqualTo(200);
        }
    }

    private static String transfer(String from, String to, int amount) {
        return "/accounts/" + from + "/transfers/" + to + "?amount=" + amount;
    }

    private static List<BankReply> replies(Stream<CompletableFuture<BankReply>> sent) {
        return sent.toList().stream().map(CompletableFuture::join).toList();
    }

    private void assertBalances(long ofAlice, long ofBob) throws Exception {
        for (BankInstance bank : List.of(banks.first(), banks.second())) {
            assertThat(balance(bank, alice)).as("alice").isEqualTo(ofAlice);
            assertThat(balance(bank, bob)).as("bob").isEqualTo(ofBob);
        }
    }

    private static long balance(BankInstance bank, String id) throws Exception {
        return bank.get("/accounts/" + id).body().path("balance").asLong();
    }

    @Test
    void twoTransfersInOppositeDirectionsOnTwoInstancesBothSucceed() throws Exception {
        for (int round = 1; round <= ROUNDS; round++) {
            List<BankReply> replies = replies(Stream.of(
                    banks.first().postAsync(transfer(alice, bob, 30)),
                    banks.second().postAsync(transfer(bob, alice, 10))));
            assertThat(replies).extracting(BankReply::status).containsOnly(200);
            assertBalances(1000 - 20 * round, 1000 + 20 * round);
        }
    }

    @Test
    void noMoneyIsLostWhileManyMoveItInAllWaysOnTwoInstances() throws Exception {
        List<BankReply> replies = replies(IntStream.range(0, CROWD).mapToObj(number -> switch (number % 4) {
            case 0 -> banks.first().postAsync(transfer(alice, bob, 3));
            case 1 -> banks.second().postAsync(transfer(bob, alice, 1));
            case 2 -> banks.first().postAsync("/accounts/" + bob + "/deposits?amount=5");
            default -> banks.second().postAsync("/accounts/" + alice + "/withdrawals?amount=7");
        }));
        assertThat(replies).extracting(BankReply::status).containsOnly(200);
        int rounds = CROWD / 4;
        assertBalances(1000 - rounds * (3 - 1 + 7), 1000 + rounds * (3 - 1 + 5));
    }

    @Test
    void onlyOneOfATransferAndAWithdrawalThatExceedTheBalanceSucceeds() throws Exception {
        List<BankReply> replies = replies(Stream.of(
                banks.first().postAsync(transfer(alice, bob, 700)),
                banks.second().postAsync("/accounts/" + alice + "/withdrawals?amount=700")));
        assertThat(replies).extracting(BankReply::status).containsExactlyInAnyOrder(200, 409);
        assertThat(balance(banks.first(), alice)).isEqualTo(300);
    }

    @Test
    void replyShowsBothAccounts() {
        BankReply reply = banks.first().post(transfer(alice, bob, 30));
        assertThat(reply.body().at("/from/balance").asLong()).isEqualTo(970);
        assertThat(reply.body().at("/to/balance").asLong()).isEqualTo(1030);
    }

    @Test
    void transferOfMoreThanThereIsMovesNothing() throws Exception {
        assertThat(banks.first().post(transfer(alice, bob, 1001)).status()).isEqualTo(409);
        assertBalances(1000, 1000);
    }

    @Test
    void transferToTheSameAccountIsRefused() throws Exception {
        BankReply reply = banks.first().post(transfer(alice, alice, 30));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.body().path("detail").asText()).contains("two accounts");
        assertBalances(1000, 1000);
    }

    @Test
    void transferFromOrToAnUnknownAccountMovesNothingAndOpensNone() throws Exception {
        List<BankReply> replies = List.of(
                banks.first().post(transfer(alice, nobody, 30)), banks.first().post(transfer(nobody, bob, 30)));
        assertThat(replies).extracting(BankReply::status).containsOnly(404);
        assertThat(banks.first().get("/accounts/" + nobody).status()).isEqualTo(404);
        assertBalances(1000, 1000);
    }

    /** Its lease is short, so that the others need not wait for long. */
    @Test
    @Tag("slow")
    void noMoneyIsLostIfAnInstanceIsKilledAmidTransfers() throws Exception {
        BankProcess killed = BankProcess.start(
                HttpClient.newHttpClient(), TwoBanks.contactPoints(banks.context()), "--cassandra-lock.lease=2s");
        try {
            List<CompletableFuture<BankReply>> sent = IntStream.range(0, CROWD)
                    .mapToObj(number -> number % 2 == 0 ? transfer(alice, bob, 3) : transfer(bob, alice, 1))
                    .map(killed.bank()::postAsync)
                    .toList();
            CompletableFuture.anyOf(sent.toArray(CompletableFuture<?>[]::new)).join();
        } finally {
            killed.process().kill();
        }
        assertThat(replies(Stream.of(
                        banks.first().postAsync(transfer(alice, bob, 1)),
                        banks.second().postAsync(transfer(bob, alice, 1)))))
                .extracting(BankReply::status)
                .containsOnly(200);
        assertThat(balance(banks.first(), alice) + balance(banks.first(), bob)).isEqualTo(2000);
    }
}
