package io.github.cassandralock.exactlyonce.killedcopies;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.bytes.Codec;
import io.github.cassandralock.exactlyonce.handler.DecodedState;
import io.github.cassandralock.exactlyonce.killedcopies.RenamedChain.Address;
import io.github.cassandralock.exactlyonce.killedcopies.RenamedChain.Names;
import io.github.cassandralock.exactlyonce.killedcopies.RenamedChain.Store;
import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.queue.SoleProducer;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import io.github.cassandralock.exactlyonce.store.servers.RedisServer;
import io.github.cassandralock.local.LocalCassandra;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two copies in processes of their own are killed (SIGKILL) and started again, at random, while inputs come. Meanwhile the queue, the
 * handler, its output and the sink are renamed, as the guide says. {@code -Dkilled.seed=N} gives another order of kills.
 */
@Tag("slow")
@Tag("nightly")
class RenamesKilledIT {

    private static final int COPIES = 2;
    private static final int INPUTS_OF_A_TIME = Integer.getInteger("renamed.inputs", 12);
    private static final int INPUTS_BETWEEN_KILLS = 12;
    private static final long SEED = Long.getLong("killed.seed", 21);

    private final Random random = new Random(SEED);
    private final List<CopyProcess> copies = new ArrayList<>();

    @TempDir
    Path logs;

    private Names names = new Names("in-0", "handler-0", "out-0", "sink-0");
    private int inputs;
    private int kills;

    /** The stores of a test. */
    private record Servers(Address address, AutoCloseable registers, PostgresServer database) implements AutoCloseable {

        /** Skips the test if a server is not installed. */
        static Servers start(Store store) {
            PostgresServer database = PostgresServer.start();
            String url = PostgresServer.url(database.address(), "");
            try {
                return switch (store) {
                    case CASSANDRA -> {
                        LocalCassandra cassandra = LocalCassandra.start(1);
                        yield new Servers(
                                new Address(store, cassandra.contactPoints().get(0), cassandra.localDatacenter(), url),
                                cassandra,
                                database);
                    }
                    case POSTGRES -> new Servers(new Address(store, database.address(), "-", url), () -> {}, database);
                    case REDIS -> {
                        RedisServer redis = RedisServer.start("--appendonly", "yes", "--appendfsync", "always");
                        yield new Servers(new Address(store, redis.address(), "-", url), redis, database);
                    }
                };
            } catch (RuntimeException | Error e) {
                database.close();
                throw e;
            }
        }

        @Override
        public void close() throws Exception {
            registers.close();
            database.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Store.class)
    @Timeout(600)
    void eachInputTakesEffectOnceAndInOrderThoughCopiesAreKilledAmidRenames(Store store) throws Exception {
        try (Servers servers = Servers.start(store);
                RenamedChain chain = RenamedChain.create(servers.address())) {
            try {
                startAll(servers);
                push(chain, INPUTS_OF_A_TIME);

                awaitNothingToDo(chain);
                names = new Names("in-1", names.handler(), names.output(), names.sink());
                replace(servers, 0);
                push(chain, INPUTS_OF_A_TIME); // while a copy still takes the former queue
                replace(servers, 1);
                push(chain, INPUTS_OF_A_TIME);

                awaitNothingToDo(chain);
                names = new Names(names.input(), names.handler(), "out-1", "sink-1");
                replace(servers, 0);
                replace(servers, 1);
                push(chain, INPUTS_OF_A_TIME);

                awaitNothingToDo(chain);
                killAll();
                chain.queue(names.input()).removeConsumer(names.handler());
                names = new Names(names.input(), "handler-1", "out-2", "sink-2");
                startAll(servers);
                push(chain, INPUTS_OF_A_TIME);

                awaitNothingToDo(chain);
                killAll();
                chain.queue(names.output()).removeConsumer(names.sink());
                names = new Names(names.input(), names.handler(), names.output(), "sink-3");
                startAll(servers);
                push(chain, INPUTS_OF_A_TIME);

                awaitNothingToDo(chain);
                assertThat(notes(chain))
                        .isEqualTo(IntStream.range(0, inputs)
                                .mapToObj(Integer::toString)
                                .toList());
                assertThat(copies).allMatch(CopyProcess::isAlive);
                for (int copy = 0; copy < COPIES; copy++) {
                    assertThat(Files.readString(log(copy))).doesNotContain(CopyMain.FAILED);
                }
                System.out.println(store + ", seed " + SEED + ": " + kills + " kills amid " + inputs + " inputs");
                assertThat(kills).isGreaterThan(10);
            } finally {
                copies.forEach(CopyProcess::close);
                copies.clear();
            }
        }
    }

    private Path log(int copy) {
        return logs.resolve("copy-" + copy + ".log");
    }

    private CopyProcess started(Servers servers, int copy) throws Exception {
        return CopyProcess.start(
                RenamedChainMain.class,
                RenamedChainMain.arguments("copy-" + copy, names, servers.address()),
                log(copy));
    }

    private void startAll(Servers servers) throws Exception {
        copies.clear();
        for (int copy = 0; copy < COPIES; copy++) {
            copies.add(started(servers, copy));
        }
    }

    private void killAll() throws Exception {
        for (CopyProcess copy : copies) {
            copy.kill();
            kills++;
        }
    }

    /** Kills a copy, and starts one that is configured with the present names. */
    private void replace(Servers servers, int copy) throws Exception {
        copies.get(copy).kill();
        kills++;
        copies.set(copy, started(servers, copy));
    }

    /** A copy is killed and started with the names that it had. */
    private void killAny() throws Exception {
        CopyProcess copy = copies.get(random.nextInt(COPIES));
        copy.kill();
        copy.startAgain();
        kills++;
    }

    /** The ring is small, so the producer waits for the copies. */
    private void push(RenamedChain chain, int count) throws Exception {
        SoleProducer producer = chain.queue(names.input()).openSoleProducer("producer");
        for (int i = 0; i < count; i++) {
            producer.push(List.of(Codec.utf8().encode(Integer.toString(inputs++))));
            if (random.nextInt(INPUTS_BETWEEN_KILLS) == 0) {
                killAny();
            }
        }
    }

    /** All messages are taken by all consumers, and the state names no queue. In the middle, a copy is killed. */
    private void awaitNothingToDo(RenamedChain chain) throws Exception {
        killAny();
        while (notes(chain).size() < inputs
                || !isEmpty(chain.queue(names.input()))
                || !isEmpty(chain.queue(names.output()))
                || !isAtRest(chain)) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static boolean isEmpty(MessageQueue queue) throws InterruptedException {
        return queue.readLowWater().index() == queue.readNextIndex();
    }

    private boolean isAtRest(RenamedChain chain) throws InterruptedException {
        return DecodedState.of(
                        names.handler(),
                        chain.registers()
                                .named("handler/" + names.handler() + "/state")
                                .read())
                .phase()
                .equals("Handling");
    }

    /** In the order in which they were committed: a sink's row lets one transaction in at a time. */
    private static List<String> notes(RenamedChain chain) throws SQLException {
        try (Connection connection = chain.database().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT message FROM notes ORDER BY id")) {
            List<String> messages = new ArrayList<>();
            while (rows.next()) {
                messages.add(rows.getString(1));
            }
            return messages;
        }
    }
}
