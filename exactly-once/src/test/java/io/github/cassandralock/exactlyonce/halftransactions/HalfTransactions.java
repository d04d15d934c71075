package io.github.cassandralock.exactlyonce.halftransactions;

import io.github.cassandralock.exactlyonce.bytes.Bytes;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.ExactlyOnceHandler;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageId;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.PushAnswer;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.EffectFunction;
import io.github.cassandralock.exactlyonce.sink.RegisterSink;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcEffect;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Money that goes from accounts in one store to accounts in the other. All names end with that of the run, since a name is never
 * used again. Used by one thread.
 */
abstract class HalfTransactions {

    /** Which way the money goes. */
    enum Direction {
        CASSANDRA_TO_POSTGRES {
            @Override
            HalfTransactions begin(Stores stores, String run, Producer producer) {
                return new CassandraToPostgres(stores, run, producer);
            }
        },
        POSTGRES_TO_CASSANDRA {
            @Override
            HalfTransactions begin(Stores stores, String run, Producer producer) {
                return new PostgresToCassandra(stores, run, producer);
            }
        };

        /** Over stores that may have the run already. */
        abstract HalfTransactions begin(Stores stores, String run, Producer producer);
    }

    /** How handlers push outputs. */
    enum Producer {
        SOLE,
        ORDINARY;

        <S> HandlerDefinition.Builder<S> to(MessageQueue queue, HandlerDefinition.Builder<S> definition) {
            return this == SOLE ? definition.exclusiveOutput(queue) : definition.output(queue);
        }
    }

    static final String ACCOUNTS = "accounts";
    static final long FIRST_BALANCE = 5;
    static final JdbcSinkSettings SINKS = JdbcSinkSettings.defaults();
    static final GrowingPauses PAUSES = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(2));
    static final Codec<String> TEXT = Codec.utf8();

    /** Fewer cells than requests, so that cells are used again and marks are raised. */
    static final Layout RING = new Layout.Ring(4);

    /** "number account amount": with 5 at the beginning, numbers 2 and 4 are refused. */
    static final List<String> REQUESTS = List.of("0 x 3", "1 y 2", "2 x 4", "3 x 1", "4 y 4", "5 y 3");

    /** Three are enough. */
    private static final int MOST_ROUNDS = 10;

    static final List<String> GRANTED = List.of("0 x 3", "1 y 2", "3 x 1", "5 y 3");

    final Stores stores;
    final String run;
    final Producer producer;
    private int pushedRequests;

    HalfTransactions(Stores stores, String run, Producer producer) {
        this.stores = stores;
        this.run = run;
        this.producer = producer;
    }

    /** What there is before the first process; called once. */
    final void createAccounts() throws SQLException, InterruptedException {
        for (String account : List.of("x", "y")) {
            accounts(stores.cassandra()).create(account, Bytes.of(TEXT, FIRST_BALANCE + ":"));
        }
        execute("CREATE TABLE " + balances() + " (account varchar(9) PRIMARY KEY, balance bigint NOT NULL)");
        execute("INSERT INTO " + balances() + " VALUES ('x', " + FIRST_BALANCE + "), ('y', " + FIRST_BALANCE + ")");
        execute("CREATE TABLE " + effects()
                + " (id bigint GENERATED ALWAYS AS IDENTITY, request varchar(99) NOT NULL)");
    }

    /** Runs each copy of a process until it has nothing to do. */
    abstract void runCopies(KillableProcess process) throws InterruptedException;

    /** What others do to the same queues while nobody goes on with the work of the process that has ended. */
    void othersGoOn() throws InterruptedException {}

    /** Every effect was made once, in the order of the requests, and the sum of the money is what it was. */
    abstract void assertMoneyIsRight() throws Exception;

    abstract MessageQueue requests(RegisterStore store);

    abstract RegisterStore requestStore();

    /** A process does all that there is to do, unless it ends before. */
    final void work(KillableProcess process) throws InterruptedException {
        boolean pushed = false;
        int before = -1;
        for (int round = 0;
                !process.isDead() && (!pushed || process.operations().size() > before);
                round++) {
            if (round == MOST_ROUNDS) {
                throw new AssertionError("After " + round + " rounds there is still something to do");
            }
            before = process.operations().size();
            pushed = pushRequests();
            runCopies(process);
        }
    }

    /** As many as the ring takes; those that a clerk of another process has pushed are there once. Returns whether all are there. */
    private boolean pushRequests() throws InterruptedException {
        MessageQueue queue = requests(requestStore());
        while (pushedRequests < REQUESTS.size()) {
            Message request =
                    Message.of(MessageId.of(named("clerk"), pushedRequests), TEXT.encode(REQUESTS.get(pushedRequests)));
            if (!(queue.pushAsSoleProducer(request) instanceof PushAnswer.Pushed)) {
                return false;
            }
            pushedRequests++;
        }
        return true;
    }

    final MessageQueue queue(String name, Layout layout, RegisterStore store) {
        return new MessageQueue(name + "-" + run, layout, Registers.of(store));
    }

    final String named(String name) {
        return name + "-" + run;
    }

    /** A copy of the sink with which the bank takes messages into its database. */
    final SinkCopy bank(
            String copyName, MessageQueue queue, DataSource database, JdbcEffect effect, CopyEnvironment environment) {
        return new SinkCopy(
                named("bank"),
                queue,
                JdbcSink.open(database, named("bank"), SINKS, effect),
                PAUSES,
                copyName,
                SinkListener.none(),
                environment);
    }

    /** A copy of a handler that makes effects on the accounts in Cassandra. The user's state is what is under way. */
    final HandlerCopy handler(
            String name,
            ExactlyOnceHandler<String> function,
            RegisterStore store,
            MessageQueue input,
            MessageQueue output,
            RegisterStore cassandra,
            CopyEnvironment environment) {
        HandlerDefinition.Builder<String> definition =
                HandlerDefinition.builder(named(name), function, Registers.of(store), StateCodec.of(TEXT), () -> "");
        return new HandlerCopy(
                producer.to(output, definition)
                        .input(input)
                        .effects(accounts(cassandra))
                        .build(),
                "1",
                HandlerListener.none(),
                environment);
    }

    static String account(String request) {
        return request.split(" ", -1)[1];
    }

    static long amount(String request) {
        return Long.parseLong(request.split(" ", -1)[2]);
    }

    // Accounts in registers of Cassandra: the balance, and each effect in the order in which it was made.

    final RegisterSink accounts(RegisterStore cassandra) {
        return new RegisterSink(named(ACCOUNTS), Registers.of(cassandra), HalfTransactions::change);
    }

    /** "number account amount" with a negative amount withdraws if there is enough. */
    private static EffectFunction.Change change(Optional<Bytes> content, Bytes request) {
        String before = content.orElseThrow().as(TEXT);
        String asked = request.as(TEXT);
        long after = balance(before) + amount(asked);
        String answer = after < 0 ? "no" : "ok";
        long balance = after < 0 ? balance(before) : after;
        String effects = before.substring(before.indexOf(':') + 1);
        return new EffectFunction.Change(
                Bytes.of(TEXT, balance + ":" + effects + asked + " " + answer + ";"), Bytes.of(TEXT, answer));
    }

    static long balance(String content) {
        return Long.parseLong(content.substring(0, content.indexOf(':')));
    }

    final String registerAccount(String account) throws InterruptedException {
        return accounts(stores.cassandra()).readContent(account).orElseThrow().as(TEXT);
    }

    // Accounts in a database: the balance, and each effect in the order in which it was made.

    final String balances() {
        return "balances_" + run;
    }

    final String effects() {
        return "effects_" + run;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = stores.database().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    final List<String> column(String query) throws SQLException {
        try (Connection connection = stores.database().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> values = new ArrayList<>();
            while (rows.next()) {
                values.add(rows.getString(1));
            }
            return values;
        }
    }

    final List<String> databaseEffects() throws SQLException {
        return column("SELECT request FROM " + effects() + " ORDER BY id");
    }

    final long databaseBalance(String account) throws SQLException {
        return Long.parseLong(column("SELECT balance FROM " + balances() + " WHERE account = '" + account + "'")
                .get(0));
    }
}
