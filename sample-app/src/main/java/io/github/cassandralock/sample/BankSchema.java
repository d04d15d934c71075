package io.github.cassandralock.sample;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The bank's keyspace and tables, created before anything uses them. */
@Configuration(proxyBeanMethods = false)
class BankSchema {

    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(30);

    private static final List<String> TABLES = List.of(
            "CREATE TABLE IF NOT EXISTS bank.accounts (id text PRIMARY KEY, balance bigint, version bigint)",
            "CREATE TABLE IF NOT EXISTS bank.notifications (account text PRIMARY KEY, sent_by text)",
            "CREATE TABLE IF NOT EXISTS bank.job_runs (slot bigint PRIMARY KEY, instance text)");

    /** The application's session, in the keyspace {@code bank}. */
    @Bean
    CqlSession cassandraSession(CqlSessionBuilder builder, @Value("${bank.replication-factor:0}") int replication) {
        try (CqlSession admin = builder.withKeyspace((CqlIdentifier) null).build()) {
            int replicas = replication > 0
                    ? replication
                    : Math.min(3, admin.getMetadata().getNodes().size());
            create(
                    admin,
                    "CREATE KEYSPACE IF NOT EXISTS bank WITH replication ="
                            + " {'class': 'SimpleStrategy', 'replication_factor': " + replicas + "}");
            TABLES.forEach(table -> create(admin, table));
        }
        return builder.withKeyspace("bank").build();
    }

    /** Always through the same node, so that instances which start together do not create one table twice. */
    private static void create(CqlSession session, String statement) {
        SimpleStatement ddl = SimpleStatement.newInstance(statement).setTimeout(DDL_TIMEOUT);
        session.execute(session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() == NodeState.UP)
                .min(Comparator.comparing(BankSchema::hostId))
                .map(ddl::setNode)
                .orElse(ddl));
    }

    private static UUID hostId(Node node) {
        UUID id = node.getHostId();
        return id == null ? new UUID(0, 0) : id;
    }
}
