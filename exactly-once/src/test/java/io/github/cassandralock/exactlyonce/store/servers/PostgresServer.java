package io.github.cassandralock.exactlyonce.store.servers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A PostgreSQL of Debian's package {@code postgresql}, of the newest version there is, with empty data. */
public final class PostgresServer implements AutoCloseable {

    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private static final String SCRIPT = """
            "$1"/initdb --pgdata=data --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync >/dev/null &&
            exec "$1"/postgres -D data -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories=
            """;

    private final ServerProcess process;
    private final InetSocketAddress address;

    private PostgresServer(ServerProcess process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    /** Skips the test if PostgreSQL is not installed. */
    public static PostgresServer start() {
        Optional<Path> programs = programs();
        assumeTrue(
                programs.isPresent(),
                "There is no PostgreSQL in " + VERSIONS + ". On Debian: apt-get install postgresql");
        boolean root = "root".equals(System.getProperty("user.name"));
        InetSocketAddress address = ServerProcess.freeAddress();
        List<String> command = new ArrayList<>();
        if (root) { // as which PostgreSQL refuses to run
            command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"));
        }
        command.addAll(List.of(
                "sh",
                "-c",
                SCRIPT,
                "postgres",
                programs.orElseThrow().toString(),
                Integer.toString(address.getPort())));
        return new PostgresServer(
                ServerProcess.start(ServerProcess.directory(root), "QUIT", command, () -> serves(address)), address);
    }

    private static boolean serves(InetSocketAddress address) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url(address, "&connectTimeout=2&socketTimeout=2"))) {
            return connection.isValid(2);
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    /** @param parameters further ones, each with an ampersand before it */
    public static String url(InetSocketAddress address, String parameters) {
        return "jdbc:postgresql://127.0.0.1:" + address.getPort() + "/postgres?user=postgres" + parameters;
    }

    private static Optional<Path> programs() {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(VERSIONS)) {
            return versions.filter(version -> Files.isExecutable(version.resolve("bin/postgres")))
                    .max(Comparator.comparingInt(
                            version -> Integer.parseInt(version.getFileName().toString())))
                    .map(version -> version.resolve("bin"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
