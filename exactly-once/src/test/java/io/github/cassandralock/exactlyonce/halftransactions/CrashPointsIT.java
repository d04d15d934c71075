package io.github.cassandralock.exactlyonce.halftransactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Direction;
import io.github.cassandralock.exactlyonce.halftransactions.HalfTransactions.Producer;
import io.github.cassandralock.exactlyonce.killedcopies.CopyProcess;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import io.github.cassandralock.local.LocalCassandra;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Crash points on a real Cassandra and a real PostgreSQL, in a few minutes. The threads of a process end at one of 24 operations.
 * Besides, for each row of the table, a process halts that another one follows. The direction is another one in each row.
 */
@Tag("slow")
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrashPointsIT extends CrashPointsContract {

    private static final int ONE_OF = 48;

    private final PostgresServer postgres = PostgresServer.start();
    private final LocalCassandra cassandra = LocalCassandra.start(1);
    private final RealStores.Address address = address();
    private final RealStores real = RealStores.connect(address);
    private final Stores stores;

    @TempDir
    Path logs;

    CrashPointsIT() {
        real.createTables();
        stores = real.open();
    }

    private RealStores.Address address() {
        InetSocketAddress node = cassandra.contactPoints().get(0);
        return new RealStores.Address(
                node.getHostString(),
                node.getPort(),
                cassandra.localDatacenter(),
                PostgresServer.url(postgres.address(), ""));
    }

    @AfterAll
    void close() {
        real.close();
        cassandra.close();
        postgres.close();
    }

    @Override
    Stores stores() {
        return stores;
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @Timeout(600)
    void anotherFinishesWhereverAProcessEnds(Direction direction) throws Exception {
        assertAnotherFinishesWhereverAProcessEnds(direction, Producer.ORDINARY, ONE_OF);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("rowsInTurn")
    @Timeout(600)
    void anotherProcessGoesOnAfterOneThatHalted(CrashRow row, Direction direction) throws Exception {
        List<CrashPoint> points = row.pointsIn(operations(direction, Producer.ORDINARY));
        CrashPoint middle = points.get(points.size() / 2);
        String name = newRun();
        HalfTransactions run = begin(name, direction, Producer.ORDINARY);
        assertThat(exitOf(name, direction, Optional.of(middle))).as(this::said).isEqualTo(HalfTransactionsMain.HALTED);
        run.othersGoOn();
        assertThat(exitOf(name, direction, Optional.empty())).as(this::said).isZero();
        run.assertMoneyIsRight();
    }

    /** Each row in one direction, in turn: the two directions of a row are neighbours. */
    static Stream<Arguments> rowsInTurn() {
        List<Arguments> all = rows().toList();
        return IntStream.range(0, all.size())
                .filter(number -> number % 4 == 0 || number % 4 == 3)
                .mapToObj(all::get);
    }

    private Path log() {
        return logs.resolve("process.log");
    }

    private String said() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            return e.toString();
        }
    }

    private int exitOf(String run, Direction direction, Optional<CrashPoint> crash) throws Exception {
        try (CopyProcess process = CopyProcess.start(
                HalfTransactionsMain.class,
                HalfTransactionsMain.arguments(address, run, direction, Producer.ORDINARY, crash),
                log())) {
            return process.awaitExit();
        }
    }
}
