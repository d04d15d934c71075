package io.github.cassandralock.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import io.github.cassandralock.spi.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.data.cassandra.core.cql.CqlOperations;

/** Makes sure at start-up that the lock tables exist, have the right shape and can be read and written at quorum. */
public final class LockSchema {

    private static final Logger log = LoggerFactory.getLogger(LockSchema.class);
    private static final Duration DDL_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration BETWEEN_PROBES = Duration.ofMillis(50);

    /** Deletions are remembered for several lives of a cell: a replica may be down for a while. */
    private static final int REMEMBERED_LIVES = 3;

    private final CqlOperations cql;
    private final CqlSession session;
    private final CqlIdentifier keyspace;

    public LockSchema(CqlOperations cql, CqlSession session, CqlIdentifier keyspace) {
        this.cql = cql;
        this.session = session;
        this.keyspace = keyspace;
    }

    /**
     * The keyspace in which the tables live.
     *
     * @param configured as the application configured it, exactly as Cassandra stores the name, or empty
     * @throws LockSchemaException.KeyspaceMissing if neither the configuration nor the session names one
     */
    public static CqlIdentifier keyspace(Optional<String> configured, CqlSession session) {
        return configured
                .map(CqlIdentifier::fromInternal)
                .or(session::getKeyspace)
                .orElseThrow(() -> new LockSchemaException.KeyspaceMissing(
                        "No keyspace is configured for the lock tables, and the Cassandra session has none either.",
                        "Name an existing keyspace, either for the whole application with 'spring.cassandra.keyspace-name:"
                                + " my_keyspace' or for the locks alone with 'cassandra-lock.keyspace: my_keyspace', in"
                                + " application.yml."));
    }

    /**
     * Does what the action says for these tables.
     *
     * @param lives the tables, and for each how many seconds its longest-lived cell lives: for so long at least it must
     *     remember deletions
     * @throws LockSchemaException that says what is wrong and what mends it
     */
    public void ensure(SchemaAction action, LockConsistency consistency, Map<LockTable, Integer> lives) {
        if (action == SchemaAction.NONE) {
            return;
        }
        Map<String, String> replication = replication();
        new Replication(keyspace.asInternal(), replication)
                .requireQuorum(consistency, session.getMetadata().getNodes().values(), localDatacenter());
        lives.forEach((table, life) -> {
            if (!shape(table).exists()) {
                create(action, table, life * REMEMBERED_LIVES);
            }
            awaitComplete(table).requireToMatch(life);
        });
        awaitAgreement();
    }

    /** One node may know a table that another does not know yet, and statements go to all of them. */
    private void awaitAgreement() {
        if (!session.checkSchemaAgreement()) {
            log.warn(
                    "The nodes of the cluster do not agree on their schema; statements on new tables may fail at first");
        }
    }

    private TableShape shape(LockTable table) {
        return TableShape.read(cql, keyspace.asInternal(), table);
    }

    /**
     * An instance that starts at the same time may be creating it: parts of the catalogue show it before others do, and
     * before statements may use it.
     */
    private TableShape awaitComplete(LockTable table) {
        String probe = "SELECT * FROM " + keyspace.asCql(true) + "." + table.tableName() + " WHERE "
                + table.primaryKey().get(0) + " = ?";
        Ticker ticker = Ticker.system();
        long startedAt = ticker.nanos();
        while (true) {
            boolean lastTry = ticker.nanos() - startedAt >= DDL_TIMEOUT.toNanos();
            TableShape shape = shape(table);
            if (canPrepare(probe, lastTry) && (shape.isComplete() || lastTry)) {
                return shape;
            }
            pause();
        }
    }

    private boolean canPrepare(String statement, boolean lastTry) {
        try {
            session.prepare(statement);
            return true;
        } catch (UnauthorizedException e) {
            throw e;
        } catch (DriverException e) {
            if (lastTry) {
                throw e;
            }
            log.debug("A table is not usable yet", e);
            return false;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_PROBES.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The start was interrupted while a lock table was being created", e);
        }
    }

    private Map<String, String> replication() {
        List<Map<String, Object>> rows = cql.queryForList(
                "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = ?", keyspace.asInternal());
        if (rows.isEmpty()) {
            throw new LockSchemaException.KeyspaceMissing(
                    "The keyspace " + keyspace.asCql(true) + " for the lock tables does not exist.",
                    "Create it, e.g. CREATE KEYSPACE " + keyspace.asCql(true)
                            + " WITH replication = {'class': 'NetworkTopologyStrategy', '" + localDatacenter()
                            + "': 3}; or name an existing one with 'cassandra-lock.keyspace: my_keyspace' in"
                            + " application.yml.");
        }
        return Replication.options(rows.get(0).get("replication"));
    }

    /** The data centre of the nodes that the driver talks to. */
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
            throw new LockSchemaException.TableMissing(
                    "The table " + keyspace.asCql(true) + "." + table.tableName() + " does not exist, and"
                            + " cassandra-lock.schema-action is 'validate'.",
                    "Run: " + statement + "; or let the application do so with 'cassandra-lock.schema-action:"
                            + " create-if-not-exists' in application.yml.");
        }
        log.info("Creating the table {}.{}", keyspace.asCql(true), table.tableName());
        try {
            cql.execute(onOneNode(SimpleStatement.newInstance(statement)).setTimeout(DDL_TIMEOUT));
        } catch (DataAccessException e) {
            throw unauthorized(e) ? notPermitted(table, statement, e) : e;
        }
    }

    /**
     * Instances that start together must not create one table through different nodes at the same time: each node would
     * give it an id of its own. All choose the same node, which takes one statement after the other.
     */
    private SimpleStatement onOneNode(SimpleStatement statement) {
        return session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() == NodeState.UP && node.getDistance() != NodeDistance.IGNORED)
                .min(Comparator.comparing(LockSchema::hostId))
                .map(statement::setNode)
                .orElse(statement);
    }

    private static UUID hostId(Node node) {
        UUID id = node.getHostId();
        return id == null ? new UUID(0, 0) : id;
    }

    private static boolean unauthorized(DataAccessException e) {
        return e.contains(UnauthorizedException.class);
    }

    private LockSchemaException notPermitted(LockTable table, String statement, DataAccessException e) {
        return new LockSchemaException.NotPermitted(
                "The Cassandra user of this application may not create the table " + keyspace.asCql(true) + "."
                        + table.tableName() + ".",
                "Have an administrator run: " + statement + "; and GRANT SELECT and MODIFY on it; then set"
                        + " 'cassandra-lock.schema-action: validate' in application.yml. Or GRANT CREATE ON KEYSPACE "
                        + keyspace.asCql(true) + " to the user.",
                e);
    }
}
