package io.github.cassandralock.exactlyonce.killedcopies;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.Inputs;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.cassandra.Sessions;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.store.redis.RedisRegisterStore;
import io.github.cassandralock.exactlyonce.store.redis.RedisStoreSettings;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import io.lettuce.core.RedisURI;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A queue, a handler that pushes each input to a sole output, and a sink that notes it in PostgreSQL. All of them have names that
 * change. The table of notes has no unique key: a double would be seen.
 */
final class RenamedChain implements AutoCloseable {

    private static final String KEYSPACE = "renamed";
    private static final Codec<String> TEXT = Codec.utf8();
    private static final Layout LAYOUT = new Layout.Ring(16);
    private static final GrowingPauses IDLE = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(20));
    private static final CassandraStoreSettings CASSANDRA =
            CassandraStoreSettings.inKeyspace(KEYSPACE).withTimeout(Duration.ofSeconds(10));
    private static final JdbcStoreSettings POSTGRES = JdbcStoreSettings.defaults();
    private static final JdbcSinkSettings SINK = JdbcSinkSettings.defaults();

    /** The names of all parts. */
    record Names(String input, String handler, String output, String sink) {

        List<String> arguments() {
            return List.of(input, handler, output, sink);
        }

        static Names ofArguments(List<String> arguments) {
            return new Names(arguments.get(0), arguments.get(1), arguments.get(2), arguments.get(3));
        }
    }

    /** Where the registers are. */
    enum Store {
        CASSANDRA,
        POSTGRES,
        REDIS
    }

    /**
     * The servers.
     *
     * @param registers of Cassandra or Redis; that of PostgreSQL is in {@code database}
     * @param datacenter of Cassandra
     * @param database the URL of PostgreSQL
     */
    record Address(Store store, InetSocketAddress registers, String datacenter, String database) {

        List<String> arguments() {
            return List.of(
                    store.name(),
                    registers.getHostString(),
                    Integer.toString(registers.getPort()),
                    datacenter,
                    database);
        }

        static Address ofArguments(List<String> arguments) {
            return new Address(
                    Store.valueOf(arguments.get(0)),
                    new InetSocketAddress(arguments.get(1), Integer.parseInt(arguments.get(2))),
                    arguments.get(3),
                    arguments.get(4));
        }
    }

    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final AutoCloseable connection;
    private final Registers registers;

    private RenamedChain(Address address, boolean creates) throws SQLException {
        source.setUrl(address.database());
        if (creates) {
            JdbcSink.createTables(source, SINK);
            try (Connection database = source.getConnection();
                    Statement statement = database.createStatement()) {
                statement.execute("CREATE TABLE notes (id bigserial PRIMARY KEY, message text NOT NULL)");
            }
        }
        RegisterStore store;
        switch (address.store()) {
            case CASSANDRA -> {
                CqlSession session = Sessions.open(address.registers(), address.datacenter());
                if (creates) {
                    session.execute("CREATE KEYSPACE IF NOT EXISTS " + KEYSPACE
                            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
                    CassandraRegisterStore.createTable(session, CASSANDRA);
                }
                connection = session;
                store = CassandraRegisterStore.open(session, CASSANDRA);
            }
            case POSTGRES -> {
                if (creates) {
                    JdbcRegisterStore.createTable(source, POSTGRES);
                }
                connection = () -> {};
                store = JdbcRegisterStore.open(source, POSTGRES);
            }
            default -> {
                RedisRegisterStore redis = RedisRegisterStore.open(
                        RedisURI.create(
                                address.registers().getHostString(),
                                address.registers().getPort()),
                        RedisStoreSettings.defaults());
                connection = redis;
                store = redis;
            }
        }
        registers = Registers.of(store);
    }

    static RenamedChain create(Address address) throws SQLException {
        return new RenamedChain(address, true);
    }

    static RenamedChain open(Address address) throws SQLException {
        return new RenamedChain(address, false);
    }

    Registers registers() {
        return registers;
    }

    PGSimpleDataSource database() {
        return source;
    }

    MessageQueue queue(String name) {
        return new MessageQueue(name, LAYOUT, registers);
    }

    HandlerCopy handlerCopy(Names names, String copy, HandlerListener listener) {
        HandlerDefinition<String> definition = HandlerDefinition.builder(
                        names.handler(),
                        (state, inputs, time) -> pushOn(names, state, inputs),
                        registers,
                        StateCodec.of(TEXT),
                        () -> "")
                .input(queue(names.input()))
                .exclusiveOutput(queue(names.output()))
                .maxInputs(3)
                .onViolation(HandlerDefinition.OnViolation.STOP)
                .idlePauses(IDLE)
                .build();
        return new HandlerCopy(definition, copy, listener, CopyEnvironment.ofThisMachine());
    }

    private static HandlerResult<String> pushOn(Names names, String state, Inputs inputs) {
        HandlerResult<String> result = HandlerResult.of(state);
        inputs.from(names.input(), TEXT).forEach(text -> result.output(names.output(), TEXT, text));
        return result;
    }

    SinkCopy sinkCopy(Names names, String copy, SinkListener listener) {
        return new SinkCopy(
                names.sink(),
                queue(names.output()),
                JdbcSink.open(source, names.sink(), SINK, RenamedChain::note),
                IDLE,
                copy,
                listener,
                CopyEnvironment.ofThisMachine());
    }

    private static void note(SinkTransaction transaction, Message message) throws SQLException {
        try (PreparedStatement insert =
                transaction.getConnection().prepareStatement("INSERT INTO notes (message) VALUES (?)")) {
            for (byte[] payload : message.payloads()) {
                insert.setString(1, TEXT.decode(payload));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    @Override
    public void close() throws Exception {
        connection.close();
    }
}
