package io.github.cassandralock.exactlyonce.halftransactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.queue.Cell;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.sink.OutboxPump;
import io.github.cassandralock.exactlyonce.sink.PumpListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcOutbox;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Queues, the handler's state and the accounts from which is withdrawn are in PostgreSQL; Cassandra has the accounts to which is
 * deposited:
 *
 * <pre>
 * orders → bank's outbox (transaction) → pump → arrivals → depositor (effect on an account register) → receipts
 * </pre>
 */
final class PostgresToCassandra extends HalfTransactions {

    static final String ARRIVALS = "arrivals";

    private static final String RECEIPTS = "receipts";

    /** Nobody takes receipts; the test counts them. */
    private static final Layout RING_OF_ALL_RECEIPTS = new Layout.Ring(64);

    PostgresToCassandra(Stores stores, String run, Producer producer) {
        super(stores, run, producer);
    }

    @Override
    MessageQueue requests(RegisterStore store) {
        return queue("orders", RING, store);
    }

    @Override
    RegisterStore requestStore() {
        return stores.postgres();
    }

    private MessageQueue arrivals(RegisterStore store) {
        return queue(ARRIVALS, RING, store);
    }

    private MessageQueue receipts(RegisterStore store) {
        return queue(RECEIPTS, RING_OF_ALL_RECEIPTS, store);
    }

    @Override
    void runCopies(KillableProcess process) throws InterruptedException {
        Stores own = stores.of(process);
        process.runUntilIdle(
                environment -> bank("1", requests(own.postgres()), own.database(), this::withdraw, environment));
        process.runUntilIdle(environment -> new OutboxPump(
                named("pump"),
                JdbcOutbox.open(own.database(), named("bank"), SINKS),
                arrivals(own.postgres()),
                PAUSES,
                "1",
                PumpListener.none(),
                environment));
        process.runUntilIdle(environment -> handler(
                "depositor",
                new Depositor(),
                own.postgres(),
                arrivals(own.postgres()),
                receipts(own.postgres()),
                own.cassandra(),
                environment));
    }

    /** What is not covered by the account is refused, and sends nothing. */
    private void withdraw(SinkTransaction transaction, Message message) throws SQLException {
        for (byte[] payload : message.payloads()) {
            String request = TEXT.decode(payload);
            try (PreparedStatement lower = transaction
                            .getConnection()
                            .prepareStatement("UPDATE " + balances()
                                    + " SET balance = balance - ? WHERE account = ? AND balance >= ?");
                    PreparedStatement keep = transaction
                            .getConnection()
                            .prepareStatement("INSERT INTO " + effects() + " (request) VALUES (?)")) {
                lower.setLong(1, amount(request));
                lower.setString(2, account(request));
                lower.setLong(3, amount(request));
                boolean covered = lower.executeUpdate() == 1;
                keep.setString(1, request + (covered ? " ok" : " no"));
                keep.executeUpdate();
                if (covered) {
                    transaction.send(message.payloads());
                }
            }
        }
    }

    /** The user's state is the payment that is under way. */
    private final class Depositor implements ExactlyOnceHandler<String> {

        @Override
        public HandlerResult<String> handle(String state, Inputs inputs, Instant time) {
            String payment = inputs.from(named(ARRIVALS), TEXT).get(0);
            return HandlerResult.of(payment).effect(named(ACCOUNTS), account(payment), Bytes.of(TEXT, payment));
        }

        @Override
        public HandlerResult<String> afterEffect(String payment, Bytes asked, Bytes result, Instant time) {
            return HandlerResult.of("").output(named(RECEIPTS), TEXT, payment);
        }
    }

    @Override
    void assertMoneyIsRight() throws Exception {
        assertThat(databaseEffects())
                .containsExactly("0 x 3 ok", "1 y 2 ok", "2 x 4 no", "3 x 1 ok", "4 y 4 no", "5 y 3 ok");
        assertThat(databaseBalance("x")).isEqualTo(1);
        assertThat(databaseBalance("y")).isZero();
        assertThat(registerAccount("x")).isEqualTo("9:0 x 3 ok;3 x 1 ok;");
        assertThat(registerAccount("y")).isEqualTo("10:1 y 2 ok;5 y 3 ok;");
        assertThat(column("SELECT n FROM " + SINKS.outboxTable() + " WHERE sink = '" + named("bank") + "' ORDER BY n"))
                .containsExactly("0", "1", "2", "3");
        assertReceiptsAreRight();
    }

    private void assertReceiptsAreRight() throws InterruptedException {
        MessageQueue queue = receipts(stores.postgres());
        List<String> receipts = new ArrayList<>();
        for (long index = 0; queue.read(index) instanceof Cell.Full full; index++) {
            assertThat(full.message().id()).isEqualTo(MessageId.of(named("depositor"), index));
            receipts.add(TEXT.decode(full.message().payloads().get(0)));
        }
        assertThat(receipts).isEqualTo(GRANTED);
    }
}
