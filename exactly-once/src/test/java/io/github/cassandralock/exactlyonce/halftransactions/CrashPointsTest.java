package io.github.cassandralock.exactlyonce.halftransactions;

import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Direction;
import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Producer;
import io.github.cassandralock.exactlyonce.sink.jdbc.JdbcSink;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Registers in memory in place of Cassandra, and H2 in place of PostgreSQL; a few seconds. */
@Tag("slow")
class CrashPointsTest extends CrashPointsContract {

    private static final int ONE_OF = 4;

    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private final Stores stores;

    CrashPointsTest() {
        JdbcStoreSettings registers = JdbcStoreSettings.defaults();
        JdbcRegisterStore.createTable(pool, registers);
        JdbcSink.createTables(pool, HalfTransactions.SINKS);
        stores = new Stores(new InMemoryRegisterStore(), JdbcRegisterStore.open(pool, registers), pool);
    }

    @AfterEach
    void close() {
        pool.dispose();
    }

    @ParameterizedTest(name = "{0}, {1}, {2}")
    @MethodSource("rowsAndProducers")
    void anotherGoesOnAsTheTableSays(CrashRow row, Direction direction, Producer producer) throws Exception {
        List<Operation> operations = operations(direction, producer);
        assertAnotherFinishesAfterEach(direction, producer, operations, row.pointsIn(operations).stream());
    }

    static Stream<Arguments> rowsAndProducers() {
        return rows().flatMap(row ->
                Stream.of(Producer.values()).map(producer -> Arguments.of(row.get()[0], row.get()[1], producer)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("directions")
    void anotherFinishesWhereverAProcessEnds(Direction direction, Producer producer) throws Exception {
        assertAnotherFinishesWhereverAProcessEnds(direction, producer, ONE_OF);
    }

    @Override
    Stores stores() {
        return stores;
    }
}
