package io.github.cassandralock.benchmarks.contender;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.benchmarks.server.Peer;
import java.time.Duration;
import java.util.List;

/** What has to be there before contenders come, and must not be created by several at the same time. */
public final class Tables {

    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(60);

    private Tables() {}

    /** The keyspaces, replicated to all nodes, and the tables of those that do not create their own. */
    public static void create(CassandraAddress address, int replicationFactor) {
        try (CqlSession session = address.administration()) {
            for (String statement : List.of(
                    keyspace(CassandraAddress.KEYSPACE, replicationFactor),
                    keyspace(CassandraAddress.KEYSPACE_OF_A_MAJORITY, replicationFactor),
                    keyspace(CassandraAddress.KEYSPACE_OF_ANOTHER_VERSION, replicationFactor),
                    BareContender.TABLE,
                    LwtContender.TABLE,
                    ShedLockContender.TABLE)) {
                session.execute(SimpleStatement.newInstance(statement).setTimeout(DDL_TIMEOUT));
            }
        }
    }

    private static String keyspace(String name, int replicationFactor) {
        return "CREATE KEYSPACE IF NOT EXISTS " + name
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': " + replicationFactor + "}";
    }

    /** The same on a peer's server. */
    public static void create(Peer peer, String address) {
        if (peer == Peer.POSTGRES) {
            JdbcContender.createTables(address);
        }
    }
}
