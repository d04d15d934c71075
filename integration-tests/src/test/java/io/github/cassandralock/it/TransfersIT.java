package io.github.cassandralock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.SharedCassandra;
import io.github.cassandralock.testing.processes.JvmProcess;
import io.github.cassandralock.testing.workload.ProtectedFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A bank in five processes: money is moved between accounts that nothing protects but locks. Costs twenty seconds for each way. Would
 * catch two that hold one account, an audit that sees a transfer half done, and callers that wait for each other.
 */
@Tag("slow")
@ExtendWith(SharedCassandra.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class TransfersIT {

    private static final int PROCESSES = 5;

    private final CassandraCluster cluster;
    private final String bank = "bank-" + UUID.randomUUID();

    TransfersIT(CassandraCluster cluster) {
        this.cluster = cluster;
    }

    @ParameterizedTest
    @EnumSource
    void noMoneyIsLostOrMadeByProcessesThatLockBothAccountsTogether(TransferWorker.Way way, @TempDir Path directory)
            throws Exception {
        Application.createKeyspace(cluster, Application.KEYSPACE, 1);
        try (ProtectedFiles accounts = new ProtectedFiles(directory)) {
            for (int number = 0; number < TransferWorker.ACCOUNTS; number++) {
                accounts.write(TransferWorker.account(bank, number), TransferWorker.MONEY);
            }
            runAll(way, directory);
            long sum = 0;
            for (int number = 0; number < TransferWorker.ACCOUNTS; number++) {
                sum += accounts.read(TransferWorker.account(bank, number));
            }
            assertThat(sum).as("money in the end").isEqualTo(TransferWorker.MONEY * TransferWorker.ACCOUNTS);
        }
    }

    private void runAll(TransferWorker.Way way, Path directory) throws Exception {
        List<JvmProcess> workers = new ArrayList<>();
        try {
            for (int number = 0; number < PROCESSES; number++) {
                List<String> arguments =
                        new ArrayList<>(List.of("process-" + number, way.name(), bank, directory.toString()));
                arguments.addAll(cluster.arguments());
                arguments.add("--spring.cassandra.keyspace-name=" + Application.KEYSPACE);
                arguments.add("--cassandra-lock.notices.enabled=" + (number % 2 == 0));
                arguments.add("--cassandra-lock.notices.bind-address=127.0.0.1");
                workers.add(JvmProcess.start(TransferWorker.class, arguments));
            }
            for (JvmProcess worker : workers) {
                worker.awaitLine(TransferWorker.DONE);
            }
        } finally {
            for (JvmProcess worker : workers) {
                worker.close();
            }
        }
    }
}
