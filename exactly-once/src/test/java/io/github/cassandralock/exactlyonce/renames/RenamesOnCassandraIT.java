package io.github.cassandralock.exactlyonce.renames;

import com.datastax.oss.driver.api.core.CqlSession;
import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraRegisterStore;
import io.github.cassandralock.exactlyonce.store.cassandra.CassandraStoreSettings;
import io.github.cassandralock.exactlyonce.store.cassandra.Sessions;
import io.github.cassandralock.local.LocalCassandra;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Registers in another table are those of another keyspace. */
@Tag("nightly")
class RenamesOnCassandraIT extends RenamesOnServers {

    private static final String KEYSPACE = "renames";
    private static LocalCassandra cassandra;
    private static CqlSession session;

    private final Map<String, RegisterStore> tables = new HashMap<>();

    @BeforeAll
    static void startCassandra() {
        cassandra = LocalCassandra.start(1);
        session = Sessions.open(cassandra.contactPoints().get(0), cassandra.localDatacenter());
        session.execute("CREATE KEYSPACE IF NOT EXISTS " + KEYSPACE
                + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    }

    @AfterAll
    static void stopCassandra() {
        session.close();
        cassandra.close();
    }

    @Override
    RegisterStore registers(String keyspace) {
        return tables.computeIfAbsent(keyspace, name -> {
            CassandraStoreSettings settings = CassandraStoreSettings.inKeyspace(KEYSPACE)
                    .withTable("registers_" + name)
                    .withTimeout(Duration.ofSeconds(10));
            CassandraRegisterStore.createTable(session, settings);
            return CassandraRegisterStore.open(session, settings);
        });
    }
}
