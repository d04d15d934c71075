package io.github.cassandralock.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A single PostgreSQL, the newest version there is. */
final class Postgres implements PeerSoftware {

    /** Has a directory for each major version. */
    private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

    private static final Pattern VERSION = Pattern.compile("\\d{1,9}");
    private static final int VALIDATION_SECONDS = 2;

    /** The programs' directory, and the port. */
    private static final String SCRIPT = """
            "$1"/initdb --pgdata=data --username=postgres --auth=trust --encoding=UTF8 --locale=C &&
            exec "$1"/postgres -D data -p "$2" -c listen_addresses=127.0.0.1 -c unix_socket_directories= \\
                -c max_connections=200
            """;

    @Override
    public boolean isInstalled() {
        return newestPrograms().isPresent();
    }

    @Override
    public PeerPlan plan() {
        Path programs =
                newestPrograms().orElseThrow(() -> new PeerServerException("There is no PostgreSQL in " + VERSIONS));
        int port = LoopbackPorts.choose(1).get(0);
        String address = "jdbc:postgresql://" + LoopbackPorts.HOST + ":" + port + "/postgres?user=postgres";
        // SIGQUIT, because its worker processes and shared memory would survive the SIGKILL of the first process.
        NodePlan node =
                new NodePlan("PostgreSQL", command(programs, port), Map.of(), user(), "QUIT", () -> accepts(address));
        return new PeerPlan(address, List.of(node));
    }

    private static List<String> command(Path programs, int port) {
        return List.of("sh", "-c", SCRIPT, "postgres", programs.toString(), Integer.toString(port));
    }

    /** PostgreSQL refuses to run as root. */
    private static Optional<String> user() {
        return "root".equals(System.getProperty("user.name")) ? Optional.of("postgres") : Optional.empty();
    }

    private static boolean accepts(String address) throws SQLException {
        try (Connection connection = DriverManager.getConnection(address + "&connectTimeout=2&socketTimeout=2")) {
            return connection.isValid(VALIDATION_SECONDS);
        }
    }

    private static Optional<Path> newestPrograms() {
        if (!Files.isDirectory(VERSIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> entries = Files.list(VERSIONS)) {
            return entries.filter(entry ->
                            VERSION.matcher(entry.getFileName().toString()).matches())
                    .sorted(Comparator.comparing(Postgres::version).reversed())
                    .map(entry -> entry.resolve("bin"))
                    .filter(Postgres::hasServer)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list " + VERSIONS, e);
        }
    }

    private static int version(Path directory) {
        return Integer.parseInt(directory.getFileName().toString());
    }

    /** The packages of the client alone make such a directory too. */
    private static boolean hasServer(Path programs) {
        return Files.isExecutable(programs.resolve("initdb")) && Files.isExecutable(programs.resolve("postgres"));
    }
}
