package io.github.cassandralock.internal.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.github.cassandralock.cassandra.LockConsistency;
import io.github.cassandralock.cassandra.SchemaAction;
import io.github.cassandralock.internal.startup.StatementNodes;
import io.github.cassandralock.internal.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ensures at the start that the lock tables exist, have the right columns, and are readable and writable at quorum. */
public final class LockSchema {

    private static final Logger log = LoggerFactory.getLogger(LockSchema.class);
    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(30);

    /** Longer than one minute: after that, a node that has missed a schema change requests it from another node. */
    private static final Duration ARRIVAL = Duration.ofSeconds(90);

    private static final Duration BETWEEN_PROBES = Duration.ofMillis(50);

    /** gc_grace_seconds in multiples of the longest time to live, for replicas that are down for some time. */
    private static final int REMEMBERED_LIVES = 3;

    private final StartStatements statements;
    private final CqlPort port;
    private final CqlSession session;
    private final CqlIdentifier keyspace;
    private final TableArrival arrival;

    /** @param session of the port, for the driver's metadata of the cluster */
    public LockSchema(CqlPort port, CqlSession session, CqlIdentifier keyspace) {
        this.statements = new StartStatements(port);
        this.port = port;
        this.session = session;
        this.keyspace = keyspace;
        this.arrival = new TableArrival(statements, session);
    }

    /**
     * Determines the keyspace of the lock tables.
     *
     * @param configured as the application configured it, or empty
     * @throws LockSchemaException if neither the configuration nor the session names one
     */
    public static CqlIdentifier keyspace(Optional<CqlIdentifier> configured, CqlSession session) {
        return configured
                .or(session::getKeyspace)
                .orElseThrow(() -> new LockSchemaException(
                        "No keyspace is configured for the lock tables, and the Cassandra session has none either.",
                        "Name an existing keyspace in application.yml. For the whole application, set"
                                + " 'spring.cassandra.keyspace-name: my_keyspace'. For the locks alone, set"
                                + " 'cassandra-lock.keyspace: my_keyspace'."));
    }

    /**
     * Creates or validates these tables, as the action requires. Warns of settings of the servers, whatever the action is.
     *
     * @param lives the tables, each with the longest time to live of its cells in seconds: the lower bound of its gc_grace_seconds
     * @param creating runs before missing tables are created
     * @throws LockSchemaException if locks cannot use the keyspace or a table; it has the reason, and what to do
     */
    public void ensure(
            SchemaAction action, LockConsistency consistency, Map<LockTable, Integer> lives, Runnable creating) {
        new ServerSettings(port).warn();
        if (action == SchemaAction.NONE) {
            return;
        }
        requireNodes();
        Supplier<List<Row>> ownKeyspace = statements.request(
                "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?", keyspace.asInternal());
        Supplier<List<TableShape>> present = shapes(lives);
        new Replication(keyspace.asCql(true), replication(ownKeyspace.get()))
                .requireQuorum(consistency, session.getMetadata().getNodes().values(), localDatacenter());
        List<TableShape> shapes = present.get();
        requireToMatch(shapes.stream().filter(TableShape::isComplete), lives);
        if (!areComplete(shapes)) {
            create(action, shapes.stream().filter(shape -> !shape.exists()).map(TableShape::expected), lives, creating);
            requireToMatch(awaitComplete(lives).stream(), lives);
        }
        List<QualifiedTable> tables =
                lives.keySet().stream().map(this::qualified).toList();
        awaitArrival(tables);
        CompletionStage<Boolean> agreement = session.checkSchemaAgreementAsync();
        requireModify(tables);
        warnUnlessAgreed(agreement);
    }

    private Supplier<List<TableShape>> shapes(Map<LockTable, Integer> lives) {
        return TableShape.request(statements, keyspace.asInternal(), lives.keySet());
    }

    private static boolean areComplete(List<TableShape> shapes) {
        return shapes.stream().allMatch(TableShape::isComplete);
    }

    /** While another instance creates a table, some system tables show it earlier than others. */
    private List<TableShape> awaitComplete(Map<LockTable, Integer> lives) {
        return await(DDL_TIMEOUT, () -> shapes(lives).get(), LockSchema::areComplete);
    }

    private static void requireToMatch(Stream<TableShape> shapes, Map<LockTable, Integer> lives) {
        shapes.forEach(shape -> shape.requireToMatch(life(shape.expected(), lives)));
    }

    private static int life(LockTable table, Map<LockTable, Integer> lives) {
        return Objects.requireNonNull(lives.get(table));
    }

    private void create(
            SchemaAction action, Stream<LockTable> missing, Map<LockTable, Integer> lives, Runnable creating) {
        missing.forEach(table -> {
            creating.run();
            create(action, table, life(table, lives) * REMEMBERED_LIVES);
        });
    }

    private void requireModify(List<QualifiedTable> tables) {
        try {
            new TableUse(port).requireModify(tables);
        } catch (UnauthorizedException e) {
            throw new LockSchemaException(
                    "The Cassandra user of this application may not change the lock tables: " + e.getMessage() + ".",
                    Refusals.grants(tables),
                    e);
        }
    }

    /** @param agreement of all nodes; the driver sends no statements to some, which may have replicas */
    private static void warnUnlessAgreed(CompletionStage<Boolean> agreement) {
        if (!StartStatements.await(agreement)) {
            log.warn(
                    "The nodes of the cluster do not agree on the schema; requests to new tables may fail for some time");
        }
    }

    private void awaitArrival(List<QualifiedTable> tables) {
        List<TableArrival.Probe> rejected = await(ARRIVAL, () -> arrival.rejected(tables), List::isEmpty);
        if (!rejected.isEmpty()) {
            log.warn(
                    "After {}, nodes still do not have tables of the locks: {}. Lock requests that they coordinate fail; check"
                            + " 'nodetool describecluster'",
                    ARRIVAL,
                    rejected);
        }
    }

    /** Repeats until the condition is true or the time is over. Returns the last value. */
    private static <T> T await(Duration time, Supplier<T> look, Predicate<T> willDo) {
        Ticker ticker = Ticker.system();
        long startedAt = ticker.nanos();
        T seen = look.get();
        while (!willDo.test(seen) && ticker.nanos() - startedAt < time.toNanos()) {
            StartPause.of(BETWEEN_PROBES, "a lock table was being created");
            seen = look.get();
        }
        return seen;
    }

    private QualifiedTable qualified(LockTable table) {
        return new QualifiedTable(keyspace, table);
    }

    private void requireNodes() {
        Collection<Node> nodes = session.getMetadata().getNodes().values();
        if (!nodes.isEmpty() && nodes.stream().allMatch(node -> node.getDistance() == NodeDistance.IGNORED)) {
            String datacenters = nodes.stream()
                    .map(node -> String.valueOf(node.getDatacenter()))
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new LockSchemaException(
                    "The driver cannot send requests to any node: none is in the local data centre that is"
                            + " configured. The cluster's data centre(s): " + datacenters + ".",
                    "Set 'spring.cassandra.local-datacenter' in application.yml to the data centre in which the"
                            + " application runs: " + datacenters + ".");
        }
    }

    private Map<String, String> replication(List<Row> ownKeyspace) {
        if (ownKeyspace.isEmpty()) {
            throw new LockSchemaException(
                    "The keyspace " + keyspace.asCql(true) + " for the lock tables does not exist.",
                    otherSpelling() + "Create it, e.g. CREATE KEYSPACE " + keyspace.asCql(true)
                            + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + localDatacenter()
                            + "': 3}; or name an existing one with 'cassandra-lock.keyspace: my_keyspace' in"
                            + " application.yml.");
        }
        return Replication.options(ownKeyspace.get(0).getObject("replication"));
    }

    /** Advice if another keyspace's name differs in upper and lower case only: quotes in the properties preserve case. */
    private String otherSpelling() {
        return statements.rows("SELECT keyspace_name FROM system_schema.keyspaces").stream()
                .map(row -> String.valueOf(row.getString("keyspace_name")))
                .filter(keyspace.asInternal()::equalsIgnoreCase)
                .findFirst()
                .map(CqlIdentifier::fromInternal)
                .map(other -> "The keyspace " + other.asCql(true)
                        + " exists: if it is meant, write its name with double quotes, such as 'cassandra-lock.keyspace: '"
                        + other.asCql(false) + "'' or 'spring.cassandra.keyspace-name: '" + other.asCql(false) + "''. ")
                .orElse("");
    }

    /** The data centre of the nodes to which the driver sends requests. */
    private String localDatacenter() {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getDistance() == NodeDistance.LOCAL && node.getDatacenter() != null)
                .map(node -> String.valueOf(node.getDatacenter()))
                .findFirst()
                .orElse("datacenter1");
    }

    private void create(SchemaAction action, LockTable table, int gcGraceSeconds) {
        String statement = table.createStatement(keyspace.asCql(true), gcGraceSeconds);
        if (action == SchemaAction.VALIDATE) {
            throw new LockSchemaException(
                    "The table " + qualified(table).cql() + " does not exist, and"
                            + " cassandra-lock.schema-action is 'validate'.",
                    "Run: " + statement + "; or set 'cassandra-lock.schema-action: create-if-not-exists' in"
                            + " application.yml, and the application creates it.");
        }
        log.info("Creating the table {}", qualified(table).cql());
        try {
            statements.executeAgain(StatementNodes.onOneNode(SimpleStatement.newInstance(statement), session)
                    .setTimeout(DDL_TIMEOUT));
        } catch (UnauthorizedException e) {
            throw notPermitted(table, statement, e);
        }
    }

    private LockSchemaException notPermitted(LockTable table, String statement, UnauthorizedException e) {
        return new LockSchemaException(
                "The Cassandra user of this application may not create the table "
                        + qualified(table).cql() + ".",
                "Have an administrator run: " + statement + "; and GRANT SELECT and MODIFY on it; then set"
                        + " 'cassandra-lock.schema-action: validate' in application.yml. Or GRANT CREATE ON KEYSPACE "
                        + keyspace.asCql(true) + " to the user.",
                e);
    }
}
