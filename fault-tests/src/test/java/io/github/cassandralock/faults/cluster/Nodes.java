package io.github.cassandralock.faults.cluster;

import io.github.cassandralock.local.LocalCassandra;
import io.github.cassandralock.local.LocalCassandraBuilder;
import io.github.cassandralock.local.LocalNode;
import io.github.cassandralock.testing.applications.Application;
import io.github.cassandralock.testing.clusters.CassandraCluster;
import io.github.cassandralock.testing.clusters.WrongClock;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Three nodes or one, and a keyspace of which each has everything. */
public final class Nodes implements AutoCloseable {

    public static final int COUNT = 3;
    public static final String KEYSPACE = "faults";

    private final LocalCassandra cassandra;
    private final @Nullable Path clock;

    private Nodes(LocalCassandra cassandra, @Nullable Path clock) {
        this.cassandra = cassandra;
        this.clock = clock;
    }

    /**
     * @param directory where the file is that the wall clock of the second node follows
     * @param hoursAhead of this clock
     */
    public static Nodes start(Path directory, int hoursAhead) {
        Path clock = directory.resolve("node-2.clock");
        WrongClock.step(clock, hoursAhead);
        LocalCassandraBuilder builder = LocalCassandra.builder().nodes(COUNT);
        builder.node(2, node -> WrongClock.environment(clock).forEach(node::environment));
        return start(builder, COUNT, clock);
    }

    /** Starts one node, for tests without faults of nodes. */
    public static Nodes startOne() {
        return start(LocalCassandra.builder(), 1, null);
    }

    private static Nodes start(LocalCassandraBuilder builder, int count, @Nullable Path clock) {
        LocalCassandra cassandra = builder.flushEachWrite(false).start();
        Application.createKeyspace(CassandraCluster.local(cassandra), KEYSPACE, count);
        return new Nodes(cassandra, clock);
    }

    List<InetSocketAddress> addresses() {
        return cassandra.contactPoints();
    }

    /** The wall clock of the second node steps. */
    public void setHoursAhead(int hours) {
        WrongClock.step(Objects.requireNonNull(clock, "one node has no clock of its own"), hours);
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
