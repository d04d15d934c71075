package io.github.cassandralock.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ThreeNodesIT {

    private static final Duration BOUND = Duration.ofSeconds(40);

    private static LocalCassandra cassandra;
    private static CqlSession session;

    @BeforeAll
    static void start() {
        cassandra = LocalCassandra.start(3);
        session = Cql.connect(cassandra);
        session.execute("CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
        session.execute("CREATE TABLE ks.t (k text PRIMARY KEY, v int)");
    }

    @AfterAll
    static void close() {
        session.close();
        cassandra.close();
    }

    @Test
    @Tag("slow")
    void killedNodeLeavesAQuorumAndComesBack() {
        LocalNode node = cassandra.node(2);
        quorumWrite("killed", 1);

        node.kill();
        assertThat(node.isRunning()).isFalse();
        awaitQuorumWrite("killed", 2);

        node.start();
        assertThat(quorumRead("killed")).isEqualTo(2);
        awaitAllAnswer();
    }

    @Test
    @Tag("slow")
    void firstNodeStartsAgainThoughAnotherIsDown() {
        cassandra.node(1).kill();
        cassandra.node(3).kill();

        cassandra.node(1).start();
        awaitQuorumWrite("first", 1);

        cassandra.node(3).start();
        awaitAllAnswer();
    }

    @Test
    @Tag("slow")
    void pausedNodeLeavesAQuorumAndGoesOn() {
        LocalNode node = cassandra.node(3);
        long pid = node.pid();

        node.pause();
        assertThat(node.isPaused()).isTrue();
        assertThat(node.isRunning()).isTrue();
        awaitQuorumWrite("paused", 1);

        node.resume();
        assertThat(node.isPaused()).isFalse();
        assertThat(node.pid()).isEqualTo(pid);
        awaitAllAnswer();
        assertThat(quorumRead("paused")).isEqualTo(1);
    }

    private static void quorumWrite(String key, int value) {
        execute("INSERT INTO ks.t (k, v) VALUES ('" + key + "', " + value + ")", DefaultConsistencyLevel.QUORUM);
    }

    /** A coordinator may need a moment to see that one of the three is gone. */
    private static void awaitQuorumWrite(String key, int value) {
        await().atMost(BOUND).ignoreExceptionsInstanceOf(DriverException.class).untilAsserted(() -> {
            quorumWrite(key, value);
            assertThat(quorumRead(key)).isEqualTo(value);
        });
    }

    private static void awaitAllAnswer() {
        await().atMost(BOUND)
                .ignoreExceptionsInstanceOf(DriverException.class)
                .until(() -> execute("SELECT v FROM ks.t WHERE k = 'any'", DefaultConsistencyLevel.ALL)
                        .wasApplied());
    }

    private static int quorumRead(String key) {
        return execute("SELECT v FROM ks.t WHERE k = '" + key + "'", DefaultConsistencyLevel.QUORUM).all().stream()
                .mapToInt(row -> row.getInt("v"))
                .findFirst()
                .orElse(0);
    }

    private static ResultSet execute(String cql, DefaultConsistencyLevel level) {
        return session.execute(
                SimpleStatement.newInstance(cql).setConsistencyLevel(level).setIdempotent(true));
    }
}
