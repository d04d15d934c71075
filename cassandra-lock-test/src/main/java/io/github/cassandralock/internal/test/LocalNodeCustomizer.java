package io.github.cassandralock.internal.test;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.github.cassandralock.local.LocalCassandra;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/** Starts the node that all tests of this JVM share, and sets its address in the context. */
record LocalNodeCustomizer(String keyspace) implements ContextCustomizer {

    private static final Duration SCHEMA_TIMEOUT = Duration.ofSeconds(30);

    /** Started by the first test that needs it; ends with the JVM. */
    private static final class Node {
        private static final LocalCassandra SHARED =
                LocalCassandra.builder().flushEachWrite(false).start();
    }

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        LocalCassandra node = Node.SHARED;
        createKeyspace(node);
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "local-cassandra",
                        Map.of(
                                "spring.cassandra.contact-points", contactPoints(node),
                                "spring.cassandra.local-datacenter", node.localDatacenter(),
                                "spring.cassandra.keyspace-name", keyspace)));
    }

    private static String contactPoints(LocalCassandra node) {
        return node.contactPoints().stream()
                .map(address -> address.getHostString() + ":" + address.getPort())
                .collect(Collectors.joining(","));
    }

    private void createKeyspace(LocalCassandra node) {
        try (CqlSession session = CqlSession.builder()
                .addContactPoints(node.contactPoints())
                .withLocalDatacenter(node.localDatacenter())
                .withKeyspace((CqlIdentifier) null)
                .build()) {
            session.execute(SimpleStatement.newInstance("CREATE KEYSPACE IF NOT EXISTS "
                            + CqlIdentifier.fromCql(keyspace).asCql(true)
                            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
                    .setTimeout(SCHEMA_TIMEOUT));
        }
    }
}
