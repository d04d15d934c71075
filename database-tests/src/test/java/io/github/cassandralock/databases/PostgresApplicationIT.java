package io.github.cassandralock.databases;

import io.github.cassandralock.exactlyonce.store.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** On a real PostgreSQL. */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresApplicationIT extends DatabaseApplicationContract {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final PostgresServer server = PostgresServer.start();

    @AfterAll
    void close() {
        server.close();
    }

    @Override
    String emptyDatabase() throws SQLException {
        String name = "application" + DATABASES.incrementAndGet();
        String postgres = PostgresServer.url(server.address(), "");
        try (Connection connection = DriverManager.getConnection(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        }
        return postgres.replace("/postgres?", "/" + name + "?");
    }

    @Override
    String user() {
        return "postgres";
    }
}
