package io.github.cassandralock.exactlyonce.renames;

import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.postgresql.ds.PGSimpleDataSource;

/** Sinks in PostgreSQL. */
@Tag("slow")
abstract class RenamesOnServers extends RenamesContract {

    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private PostgresServer postgres;

    @BeforeEach
    void startPostgres() {
        postgres = PostgresServer.start();
        source.setUrl(PostgresServer.url(postgres.address(), ""));
    }

    @AfterEach
    void stopPostgres() {
        postgres.close();
    }

    @Override
    final DataSource database() {
        return source;
    }
}
