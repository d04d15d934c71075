package io.github.cassandralock.databases;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.exactlyonce.killedcopies.CopyProcess;
import io.github.cassandralock.exactlyonce.spring.MessagePusher;
import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Applications with a method that takes messages, in processes of their own on PostgreSQL: killed (SIGKILL) and started again, stopped
 * (SIGSTOP) and woken. Another application pushes. {@code -Dkilled.seed=N} gives another order of faults.
 */
@Tag("slow")
class MethodKilledIT {

    private static final int INSTANCES = 2;
    private static final int KEYS = 3;
    private static final int FAULTS = 8;
    private static final int MESSAGES_BETWEEN_FAULTS = 100;
    private static final String USER = "postgres";

    @TempDir
    Path logs;

    private final Random random = new Random(Long.getLong("killed.seed", 33));
    private long pushed;

    @Test
    @Timeout(300)
    void eachMessageTakesEffectOnceThoughInstancesAreKilledAndStopped() throws Exception {
        List<CopyProcess> instances = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start();
                ConfigurableApplicationContext pushing = pushing(PostgresServer.url(server.address(), ""))) {
            JdbcTemplate template = pushing.getBean(JdbcTemplate.class);
            MessagePusher pusher = pushing.getBean(MessagePusher.class);
            template.execute(MethodApplication.CREATE_SHIPMENTS);
            try {
                for (int instance = 0; instance < INSTANCES; instance++) {
                    instances.add(CopyProcess.start(
                            MethodApplication.class,
                            List.of(PostgresServer.url(server.address(), ""), USER),
                            logs.resolve("instance-" + instance + ".log")));
                }
                for (int fault = 0; fault < FAULTS; fault++) {
                    push(pusher);
                    awaitShipments(template, pushed - random.nextInt(MESSAGES_BETWEEN_FAULTS));
                    makeFault(instances.get(fault % INSTANCES), template, pusher);
                }
                awaitShipments(template, pushed);
            } finally {
                instances.forEach(CopyProcess::close);
            }
            assertThat(template.queryForList("SELECT item FROM shipments ORDER BY item", Long.class))
                    .containsExactlyElementsOf(
                            LongStream.range(0, pushed).boxed().toList());
            for (int key = 0; key < KEYS; key++) {
                assertThat(template.queryForList(
                                "SELECT item FROM shipments WHERE item % ? = ? ORDER BY number",
                                Long.class, 2 * KEYS, 2 * key))
                        .as("messages with key %d", key)
                        .isNotEmpty()
                        .isSorted();
            }
        }
    }

    /** It takes no messages itself. */
    private static ConfigurableApplicationContext pushing(String url) {
        return DatabaseApplication.start(
                url,
                USER,
                false,
                List.of(MethodApplication.class),
                builder -> {},
                "spring.flyway.enabled=false",
                "exactly-once.copies.enabled=false");
    }

    /** Every other message has a key. */
    private void push(MessagePusher pusher) {
        for (int message = 0; message < MESSAGES_BETWEEN_FAULTS; message++) {
            String item = Long.toString(pushed);
            if (pushed % 2 == 0) {
                pusher.pushInOrder(MethodApplication.QUEUE, Long.toString(pushed / 2 % KEYS), item);
            } else {
                pusher.push(MethodApplication.QUEUE, item);
            }
            pushed++;
        }
    }

    private static void awaitShipments(JdbcTemplate template, long count) throws InterruptedException {
        while (template.queryForList("SELECT count(*) FROM shipments", Long.class)
                        .get(0)
                < count) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** The other instance goes on meanwhile. */
    private void makeFault(CopyProcess instance, JdbcTemplate template, MessagePusher pusher) throws Exception {
        if (random.nextBoolean()) {
            instance.stop();
            push(pusher);
            awaitShipments(template, pushed);
            instance.resume();
        } else {
            instance.kill();
            instance.startAgain();
        }
    }
}
