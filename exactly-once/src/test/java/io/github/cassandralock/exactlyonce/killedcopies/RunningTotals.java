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
import io.github.cassandralock.exactlyonce.register.Registers;
import io.github.cassandralock.exactlyonce.sink.SinkCopy;
import io.github.cassandralock.exactlyonce.sink.SinkListener;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSinkSettings;
import io.github.cassandralock.exactlyonce.sink.jdbc.SinkTransaction;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.time.GrowingPauses;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Numbers come in a queue on Cassandra. A handler adds them up and pushes, for each, how many there were and their total, to a
 * second queue; the copy that computed it is named, so that an output that was computed again would differ. A sink takes these
 * outputs into a table of PostgreSQL and counts them. The table has no unique key: a double would be seen.
 */
final class RunningTotals {

    static final String KEYSPACE = "killed";

    private static final Codec<String> TEXT = Codec.utf8();
    private static final int INPUT_CELLS = 512;
    private static final int OUTPUT_CELLS = 256;
    private static final int MOST_INPUTS_OF_A_STEP = 20;
    private static final GrowingPauses IDLE = new GrowingPauses(Duration.ofMillis(1), Duration.ofMillis(20));
    private static final CassandraStoreSettings STORE =
            CassandraStoreSettings.inKeyspace(KEYSPACE).withTimeout(Duration.ofSeconds(10));

    /** A copy that is stopped within its transaction holds the others up for a second. */
    private static final JdbcSinkSettings SINK = JdbcSinkSettings.defaults()
            .withTimeouts(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(10));

    private final String name;
    private final Registers registers;

    RunningTotals(String name, CqlSession session) {
        this.name = name;
        this.registers = Registers.of(CassandraRegisterStore.open(session, STORE));
    }

    static void createTables(CqlSession session, DataSource source) {
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + KEYSPACE
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
        CassandraRegisterStore.createTable(session, STORE);
        JdbcSink.createTables(source, SINK);
    }

    MessageQueue inputs() {
        return new MessageQueue(name + "-numbers", new Layout.Ring(INPUT_CELLS), registers);
    }

    MessageQueue outputs() {
        return new MessageQueue(name + "-totals", new Layout.Ring(OUTPUT_CELLS), registers);
    }

    HandlerCopy handlerCopy(String copy, HandlerListener listener) {
        HandlerDefinition<String> definition = HandlerDefinition.builder(
                        name,
                        (state, inputs, time) -> add(state, inputs, copy),
                        registers,
                        StateCodec.of(TEXT),
                        () -> "0 0")
                .input(inputs())
                .output(outputs())
                .maxInputs(MOST_INPUTS_OF_A_STEP)
                .onViolation(HandlerDefinition.OnViolation.STOP)
                .idlePauses(IDLE)
                .build();
        return new HandlerCopy(definition, copy, listener, CopyEnvironment.ofThisMachine());
    }

    private HandlerResult<String> add(String state, Inputs inputs, String copy) {
        String[] words = state.split(" ", -1);
        long count = Long.parseLong(words[0]);
        long total = Long.parseLong(words[1]);
        List<String> outputs = new ArrayList<>();
        for (String number : inputs.from(name + "-numbers", TEXT)) {
            count++;
            total += Long.parseLong(number);
            outputs.add(count + " " + total + " " + copy);
        }
        HandlerResult<String> result = HandlerResult.of(count + " " + total);
        outputs.forEach(output -> result.output(name + "-totals", TEXT, output));
        return result;
    }

    SinkCopy sinkCopy(DataSource source, String copy, SinkListener listener) {
        return new SinkCopy(
                name,
                outputs(),
                JdbcSink.open(source, name, SINK, this::keep),
                IDLE,
                copy,
                listener,
                CopyEnvironment.ofThisMachine());
    }

    private void keep(SinkTransaction transaction, Message message) throws SQLException {
        try (PreparedStatement insert = transaction
                        .getConnection()
                        .prepareStatement(
                                "INSERT INTO " + name + "_outputs (position, total, copy)" + " VALUES (?, ?, ?)");
                PreparedStatement count = transaction
                        .getConnection()
                        .prepareStatement("UPDATE " + name + "_counter SET value = value + ?")) {
            for (byte[] payload : message.payloads()) {
                String[] words = TEXT.decode(payload).split(" ", -1);
                insert.setLong(1, Long.parseLong(words[0]));
                insert.setLong(2, Long.parseLong(words[1]));
                insert.setString(3, words[2]);
                insert.addBatch();
            }
            insert.executeBatch();
            count.setLong(1, message.payloads().size());
            count.executeUpdate();
        }
    }
}
