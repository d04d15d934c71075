package io.github.cassandralock.exactlyonce.halftransactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.NumberedPush;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Queues, the handler's state and the accounts from which is withdrawn are in Cassandra; PostgreSQL has the accounts to which is
 * deposited:
 *
 * <pre>
 * requests → withdrawer (effect on an account register) → deposits → bank (transaction)
 * </pre>
 */
final class CassandraToPostgres extends HalfTransactions {

    private static final String DEPOSITS = "deposits";

    /** More than a ring of cells, so that each cell of the ring is used again. */
    private static final int DEPOSITS_OF_OTHERS = 6;

    private int depositsOfOthers;

    CassandraToPostgres(Stores stores, String run, Producer producer) {
        super(stores, run, producer);
    }

    @Override
    MessageQueue requests(RegisterStore store) {
        return queue("requests", RING, store);
    }

    @Override
    RegisterStore requestStore() {
        return stores.cassandra();
    }

    private MessageQueue deposits(RegisterStore store) {
        return queue(DEPOSITS, RING, store);
    }

    @Override
    void runCopies(KillableProcess process) throws InterruptedException {
        Stores own = stores.of(process);
        process.runUntilIdle(environment -> handler(
                "withdrawer",
                new Withdrawer(),
                own.cassandra(),
                requests(own.cassandra()),
                deposits(own.cassandra()),
                own.cassandra(),
                environment));
        process.runUntilIdle(
                environment -> bank("1", deposits(own.cassandra()), own.database(), this::deposit, environment));
    }

    /** The user's state is the request that is under way. */
    private final class Withdrawer implements ExactlyOnceHandler<String> {

        @Override
        public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
            String request = inputs.from(named("requests"), TEXT).get(0);
            String[] words = request.split(" ", -1);
            return HandlerResult.of(request)
                    .effect(named(ACCOUNTS), words[1], Bytes.of(TEXT, words[0] + " " + words[1] + " -" + words[2]));
        }

        @Override
        public HandlerResult<String> afterEffect(String request, Bytes asked, Bytes result, Instant time) {
            HandlerResult<String> after = HandlerResult.of("");
            return result.as(TEXT).equals("ok") ? after.output(named(DEPOSITS), TEXT, request) : after;
        }
    }

    private void deposit(SinkTransaction transaction, Message message) throws SQLException {
        for (byte[] payload : message.payloads()) {
            String request = TEXT.decode(payload);
            try (PreparedStatement raise = transaction
                            .getConnection()
                            .prepareStatement("UPDATE " + balances() + " SET balance = balance + ? WHERE account = ?");
                    PreparedStatement keep = transaction
                            .getConnection()
                            .prepareStatement("INSERT INTO " + effects() + " (request) VALUES (?)")) {
                raise.setLong(1, amount(request));
                raise.setString(2, account(request));
                raise.executeUpdate();
                keep.setString(1, request);
                keep.executeUpdate();
            }
        }
    }

    /** Another producer fills the ring until each cell was used again, while the bank takes the messages. */
    @Override
    void othersGoOn() throws InterruptedException {
        if (producer == Producer.SOLE) {
            return;
        }
        MessageQueue queue = deposits(stores.cassandra());
        while (depositsOfOthers < DEPOSITS_OF_OTHERS) {
            runBank();
            for (int i = 0; i < 2; i++) {
                NumberedPush.push(
                        queue,
                        Message.of(
                                MessageId.of(named("teller"), depositsOfOthers),
                                TEXT.encode(ofTeller(depositsOfOthers))));
                depositsOfOthers++;
            }
        }
        runBank();
    }

    private void runBank() throws InterruptedException {
        KillableProcess other = KillableProcess.ofThreads(Optional.empty());
        other.runUntilIdle(
                environment -> bank("2", deposits(stores.cassandra()), stores.database(), this::deposit, environment));
    }

    private static String ofTeller(int number) {
        return "teller-" + number + " y 10";
    }

    @Override
    void assertMoneyIsRight() throws Exception {
        assertThat(registerAccount("x")).isEqualTo("1:0 x -3 ok;2 x -4 no;3 x -1 ok;");
        assertThat(registerAccount("y")).isEqualTo("0:1 y -2 ok;4 y -4 no;5 y -3 ok;");
        List<String> ofTeller = new ArrayList<>();
        for (int number = 0; number < depositsOfOthers; number++) {
            ofTeller.add(ofTeller(number));
        }
        assertThat(databaseEffects().stream().filter(request -> !ofTeller.contains(request)))
                .isEqualTo(GRANTED);
        assertThat(databaseEffects().stream().filter(ofTeller::contains)).isEqualTo(ofTeller);
        assertThat(databaseBalance("x")).isEqualTo(FIRST_BALANCE + 4);
        assertThat(databaseBalance("y")).isEqualTo(FIRST_BALANCE + 5 + 10L * depositsOfOthers);
    }
}
