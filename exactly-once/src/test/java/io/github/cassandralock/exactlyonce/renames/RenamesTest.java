package io.github.cassandralock.exactlyonce.renames;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.memory.InMemoryRegisterStore;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

/** Registers in memory, sinks in H2. */
class RenamesTest extends RenamesContract {

    private final Map<String, RegisterStore> keyspaces = new HashMap<>();
    private final JdbcConnectionPool pool =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    @AfterEach
    void close() {
        pool.dispose();
    }

    @Override
    RegisterStore registers(String keyspace) {
        return keyspaces.computeIfAbsent(keyspace, name -> new InMemoryRegisterStore());
    }

    @Override
    DataSource database() {
        return pool;
    }
}
