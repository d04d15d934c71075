package io.github.cassandralock.exactlyonce.renames;

import io.github.cassandralock.exactlyonce.register.RegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcRegisterStore;
import io.github.cassandralock.exactlyonce.store.jdbc.JdbcStoreSettings;
import org.junit.jupiter.api.Tag;

/** Registers in another table are those of another keyspace. */
@Tag("nightly")
class RenamesOnPostgresIT extends RenamesOnServers {

    @Override
    RegisterStore registers(String keyspace) {
        JdbcStoreSettings settings = JdbcStoreSettings.defaults().withTable("registers_" + keyspace);
        JdbcRegisterStore.createTable(database(), settings);
        return JdbcRegisterStore.open(database(), settings);
    }
}
