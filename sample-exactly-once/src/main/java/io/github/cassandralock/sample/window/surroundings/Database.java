package io.github.cassandralock.sample.window.surroundings;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.h2.tools.Server;

/** An H2 server on loopback, with a database in memory and the tables of the application. */
final class Database implements AutoCloseable {

    private static final List<String> TABLES = List.of(
            // A step that came twice would be there twice: nothing but the sink prevents it.
            """
            CREATE TABLE averages (
                place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                step bigint NOT NULL,
                average double precision NOT NULL,
                numbers integer NOT NULL,
                increments bigint NOT NULL,
                written_at timestamp(3) with time zone NOT NULL)
            """,
            "CREATE TABLE counter (n bigint NOT NULL, last_step bigint NOT NULL)",
            "INSERT INTO counter (n, last_step) VALUES (0, 0)",
            // Where the copies are, for the page.
            "CREATE TABLE copies (pid bigint PRIMARY KEY, url varchar(200) NOT NULL)");

    private final Server server;
    private final Connection keepingItInMemory;

    private Database(Server server, Connection keepingItInMemory) {
        this.server = server;
        this.keepingItInMemory = keepingItInMemory;
    }

    static Database start() throws SQLException {
        System.setProperty("h2.bindAddress", "127.0.0.1"); // otherwise it would listen to the network
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        Connection connection = DriverManager.getConnection(url(server));
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table);
            }
        }
        return new Database(server, connection);
    }

    private static String url(Server server) {
        return "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:sample";
    }

    String url() {
        return url(server);
    }

    @Override
    public void close() throws SQLException {
        keepingItInMemory.close();
        server.stop();
    }
}
