package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalCassandraBuilder;
import io.github.cassandralock.local.LocalNode;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.WrongClock;
import java.net.InetSocketAddress;
import java.util.List;

/** Three nodes or one, and a keyspace of which each has everything. */
public final class Nodes implements AutoCloseable {

    public static final int COUNT = 3;
    public static final String KEYSPACE = "faults";

    private final LocalCassandra cassandra;

    private Nodes(LocalCassandra cassandra) {
        this.cassandra = cassandra;
    }

    /** @param hoursAhead the wall clock of the second node */
    public static Nodes start(int hoursAhead) {
        LocalCassandraBuilder builder = LocalCassandra.builder().nodes(COUNT);
        builder.node(2, node -> WrongClock.environment(hoursAhead).forEach(node::environment));
        return start(builder, COUNT);
    }

    /** Starts one node, for tests without faults of nodes. */
    public static Nodes startOne() {
        return start(LocalCassandra.builder(), 1);
    }

    private static Nodes start(LocalCassandraBuilder builder, int count) {
        LocalCassandra cassandra = builder.flushEachWrite(false).start();
        Application.createKeyspace(CassandraCluster.local(cassandra), KEYSPACE, count);
        return new Nodes(cassandra);
    }

    List<InetSocketAddress> addresses() {
        return cassandra.contactPoints();
    }

    /** @param number from 1 */
    public LocalNode node(int number) {
        return cassandra.node(number);
    }

    @Override
    public void close() {
        cassandra.close();
    }
}
