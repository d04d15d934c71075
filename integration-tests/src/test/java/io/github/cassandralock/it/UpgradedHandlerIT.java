package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.cassandralock.exactlyonce.queue.MessageQueue;
import io.github.cassandralock.exactlyonce.spring.Queues;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.ApiBase;
import io.github.cassandralock.testing.processes.JvmProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Copies of one handler, of an earlier commit and of this build, read each other's messages and states: in a rolling upgrade, and on
 * the way back. Costs a minute. Catches records that the other version does not read, and outputs that are missing or double.
 */
@ExtendWith(SharedCassandra.class)
@Tag("slow")
@Tag("once")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class UpgradedHandlerIT {

    private static final int MESSAGES = 50;
    private static final Duration BOUND = Duration.ofMinutes(2);

    private final String run = UUID.randomUUID().toString();
    private final List<String> arguments;
    private final List<AutoCloseable> started = new ArrayList<>();
    private int pushed;

    @TempDir
    private Path directory;

    UpgradedHandlerIT(CassandraCluster cluster) {
        Application.createKeyspace(cluster, Numbering.KEYSPACE, 1);
        arguments = cluster.arguments();
        arguments.add("--spring.cassandra.keyspace-name=" + Numbering.KEYSPACE);
        arguments.addAll(List.of(Numbering.arguments(run)));
    }

    @Configuration(proxyBeanMethods = false)
    static class InputAlone {

        @Bean
        MessageQueue input(Queues queues, @Value("${run}") String run) {
            return queues.named("in-" + run);
        }
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable each : started) {
            each.close();
        }
    }

    @Test
    void inputsAreNumberedOnceInARollingUpgradeAndOnTheWayBack() throws Exception {
        String earlier = ApiBase.classPath("exactly-once");
        Application queues = start(InputAlone.class);
        JvmProcess copy = startEarlier(earlier);
        awaitOutputs(queues);
        Application upgraded = start(Numbering.class);
        awaitOutputs(queues);
        copy.kill();
        awaitOutputs(queues);
        startEarlier(earlier);
        upgraded.close();
        awaitOutputs(queues);
    }

    private Application start(Class<?>... configurations) {
        List<Class<?>> all = new ArrayList<>(List.of(configurations));
        all.add(Application.Configuration.class);
        Application application = Application.run(all, arguments);
        started.add(application);
        return application;
    }

    private JvmProcess startEarlier(String classPath) throws Exception {
        JvmProcess copy = JvmProcess.start(
                classPath, Numbering.class, arguments, Map.of(), directory.resolve(started.size() + ".log"));
        started.add(copy);
        return copy;
    }

    /** Pushes messages, and returns when all outputs are there. */
    private void awaitOutputs(Application application) throws InterruptedException {
        Queues queues = application.context().getBean(Queues.class);
        MessageQueue in = queues.named("in-" + run);
        MessageQueue out = queues.named("out-" + run);
        for (int i = 0; i < MESSAGES; i++) {
            in.push(Integer.toString(pushed).getBytes(StandardCharsets.UTF_8));
            pushed++;
        }
        List<String> expected =
                IntStream.range(0, pushed).mapToObj(i -> i + " " + i).toList();
        await("all outputs")
                .atMost(BOUND)
                .untilAsserted(() -> assertThat(Numbering.outputs(out)).containsExactlyElementsOf(expected));
    }
}
