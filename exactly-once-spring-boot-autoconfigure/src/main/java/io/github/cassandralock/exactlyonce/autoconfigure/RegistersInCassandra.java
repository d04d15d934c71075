package io.github.cassandralock.exactlyonce.autoconfigure;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.internal.startup.ConnectingSession;
import io.github.cassandralock.internal.startup.ContactedCluster;
import io.github.cassandralock.internal.startup.CqlName;
import io.github.cassandralock.internal.startup.Creation;
import io.github.cassandralock.internal.startup.StartStage;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;

/** Opens the store of registers in Cassandra. The driver may be missing on the class path if this class is not used. */
record RegistersInCassandra(ExactlyOnceProperties properties, ListableBeanFactory beans) {

    /**
     * Looks up the session. Does no I/O, unless the session is open.
     *
     * @throws InvalidExactlyOncePropertyException if there is no session, or if the properties are out of bounds
     */
    Creation<RegisterStore> opening() {
        ExactlyOnceProperties.Cassandra configured = properties.cassandra();
        Optional<CqlIdentifier> keyspace =
                Optional.ofNullable(configured.keyspace()).map(name -> name("cassandra.keyspace", name));
        CqlIdentifier table = name("cassandra.table", configured.table());
        CqlSession session = session();
        if (!(session instanceof ConnectingSession)) {
            settings(session, keyspace, table);
        }
        return progress -> {
            ContactedCluster.require(session);
            CassandraStoreSettings settings = settings(session, keyspace, table);
            if (properties.createTables()) {
                progress.reached(StartStage.CREATION);
                CassandraRegisterStore.createTable(session, settings);
            }
            return CassandraRegisterStore.open(session, settings);
        };
    }

    private static CqlIdentifier name(String property, String name) {
        try {
            return CqlName.of(name);
        } catch (IllegalArgumentException e) {
            throw InvalidExactlyOncePropertyException.of(
                    property, name, String.valueOf(e.getMessage()), CqlName.quoted(name));
        }
    }

    private CqlSession session() {
        return new ChosenBean<>(CqlSession.class, "session-bean", "registers", beans)
                .get(
                        properties.sessionBean(),
                        e -> new InvalidExactlyOncePropertyException(
                                "store",
                                "cassandra",
                                "the application has no CqlSession bean",
                                "Configure one, or choose another store in application.yml: 'exactly-once.store' is cassandra, jdbc"
                                        + " or redis. Or define a RegisterStore bean.",
                                e));
    }

    /** Blocks if the session is not open yet. */
    private CassandraStoreSettings settings(
            CqlSession session, Optional<CqlIdentifier> configuredKeyspace, CqlIdentifier table) {
        ExactlyOnceProperties.Cassandra configured = properties.cassandra();
        CqlIdentifier keyspace = configuredKeyspace
                .or(session::getKeyspace)
                .orElseThrow(() -> InvalidExactlyOncePropertyException.of(
                        "cassandra.keyspace",
                        "",
                        "the session of the application has no keyspace either (spring.cassandra.keyspace-name)",
                        "my_keyspace"));
        try {
            return new CassandraStoreSettings(
                    keyspace.asInternal(),
                    table.asInternal(),
                    configured.readConsistency(),
                    configured.serialConsistency(),
                    configured.timeout());
        } catch (IllegalArgumentException e) {
            throw RegisterStoreOpening.wrong("cassandra.table", configured.table(), e);
        }
    }
}
