package io.github.cassandralock.benchmarks.gap;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.benchmarks.contender.CassandraAddress;
import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.copy.CopyEnvironment;
import io.github.cassandralock.exactlyonce.handler.HandlerCopy;
import io.github.cassandralock.exactlyonce.handler.HandlerDefinition;
import io.github.cassandralock.exactlyonce.handler.HandlerListener;
import io.github.cassandralock.exactlyonce.handler.HandlerResult;
import io.github.cassandralock.exactlyonce.handler.StateCodec;
import io.github.cassandralock.exactlyonce.queue.Layout;
import io.github.cassandralock.exactlyonce.queue.Message;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/**
 * What the workers do: a handler adds up numbers of a queue and pushes the totals to another, both in Cassandra; a sink writes these
 * into a table of PostgreSQL, whose clock says when, and who computed them.
 */
final class Totals {

    static final String OUTPUTS = "gap_outputs";

    private static final String NAME = "gap";
    private static final Codec<String> TEXT = Codec.utf8();
    private static final Layout RING = new Layout.Ring(512);
    private static final int MOST_INPUTS_OF_A_STEP = 20;
    private static final GrowingPauses IDLE = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(20));
    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(60);
    private static final CassandraStoreSettings STORE =
            CassandraStoreSettings.inKeyspace(CassandraAddress.KEYSPACE).withTimeout(Duration.ofSeconds(10));
    private static final JdbcSinkSettings SINK = JdbcSinkSettings.defaults();

    private final Registers registers;

    Totals(CqlSession session) {
        registers = Registers.of(CassandraRegisterStore.open(session, STORE));
    }

    static void createTables(CqlSession session, DataSource source) throws SQLException {
        session.execute(SimpleStatement.newInstance(CassandraRegisterStore.createStatement(STORE))
                .setTimeout(DDL_TIMEOUT));
        JdbcSink.createTables(source, SINK);
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE " + OUTPUTS + " (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                    + " total bigint NOT NULL, worker text NOT NULL, made_at timestamptz NOT NULL)");
        }
    }

    MessageQueue numbers() {
        return new MessageQueue(NAME + "-numbers", RING, registers);
    }

    private MessageQueue totals() {
        return new MessageQueue(NAME + "-totals", RING, registers);
    }

    HandlerCopy handlerCopy(String worker) {
        HandlerDefinition<String> definition = HandlerDefinition.builder(
                        NAME,
                        (total, inputs, time) -> add(total, inputs.from(NAME + "-numbers", TEXT), worker),
                        registers,
                        StateCodec.of(TEXT),
                        () -> "0")
                .input(numbers())
                .exclusiveOutput(totals())
                .maxInputs(MOST_INPUTS_OF_A_STEP)
                .idlePauses(IDLE)
                .build();
        return new HandlerCopy(definition, worker, HandlerListener.none(), CopyEnvironment.ofThisMachine());
    }

    private static HandlerResult<String> add(String total, List<String> numbers, String worker) {
        long sum = Long.parseLong(total);
        for (String number : numbers) {
            sum += Long.parseLong(number);
        }
        return HandlerResult.of(Long.toString(sum)).output(NAME + "-totals", TEXT, sum + " " + worker);
    }

    SinkCopy sinkCopy(DataSource source, String worker) {
        return new SinkCopy(
                NAME,
                totals(),
                JdbcSink.open(source, NAME, SINK, Totals::keep),
                IDLE,
                worker,
                SinkListener.none(),
                CopyEnvironment.ofThisMachine());
    }

    private static void keep(SinkTransaction transaction, Message message) throws SQLException {
        try (PreparedStatement insert = transaction
                .getConnection()
                .prepareStatement(
                        "INSERT INTO " + OUTPUTS + " (total, worker, made_at) VALUES (?, ?, clock_timestamp())")) {
            for (byte[] payload : message.payloads()) {
                String[] words = TEXT.decode(payload).split(" ", -1);
                insert.setLong(1, Long.parseLong(words[0]));
                insert.setString(2, words[1]);
                insert.executeUpdate();
            }
        }
    }
}
