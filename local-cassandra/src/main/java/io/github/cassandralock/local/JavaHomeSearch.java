package io.github.cassandralock.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the JDK for the nodes, which may differ from the application's JDK. */
final class JavaHomeSearch {

    static final String PROPERTY = "local-cassandra.java-home";
    static final String VARIABLE = "LOCAL_CASSANDRA_JAVA_HOME";
    static final int NEEDED = 17;

    private final Properties properties;
    private final Map<String, String> environment;
    private final List<Path> usualPlaces;
    private final List<String> lookedAt = new ArrayList<>();

    /** @param usualPlaces directories whose entries may be Java homes */
    JavaHomeSearch(Properties properties, Map<String, String> environment, List<Path> usualPlaces) {
        this.properties = properties;
        this.environment = environment;
        this.usualPlaces = List.copyOf(usualPlaces);
    }

    static JavaHomeSearch onThisMachine() {
        Path home = Path.of(System.getProperty("user.home", ""));
        return new JavaHomeSearch(
                System.getProperties(),
                System.getenv(),
                List.of(
                        Path.of("/usr/lib/jvm"),
                        Path.of("/usr/java"),
                        Path.of("/Library/Java/JavaVirtualMachines"),
                        home.resolve("Library/Java/JavaVirtualMachines"),
                        home.resolve(".sdkman/candidates/java"),
                        home.resolve(".jdks"),
                        Path.of("/opt"),
                        Path.of("/opt/java")));
    }

    /**
     * @throws LocalCassandraException if none is found, or the explicitly configured one is no Java 17; the message lists the
     *     places of the search
     */
    JavaHome find() {
        lookedAt.clear();
        return configured("the system property " + PROPERTY, properties.getProperty(PROPERTY))
                .or(() -> configured("the environment variable " + VARIABLE, environment.get(VARIABLE)))
                .or(() -> suitable("the running JVM", properties.getProperty("java.home")))
                .or(() -> suitable("JAVA_HOME", environment.get("JAVA_HOME")))
                .or(this::inUsualPlaces)
                .orElseThrow(this::notFound);
    }

    private Optional<JavaHome> configured(String source, @Nullable String value) {
        if (value == null || value.isBlank()) {
            lookedAt.add(source + ": not set");
            return Optional.empty();
        }
        Optional<JavaHome> home = read(value);
        if (home.filter(JavaHomeSearch::serves).isEmpty()) {
            throw new LocalCassandraException("Cassandra needs a Java " + NEEDED + ", but " + source + " names " + value
                    + ", which is " + describe(home) + ". Set it to the home of a JDK " + NEEDED
                    + ", or unset it to have one searched for.");
        }
        return home;
    }

    private Optional<JavaHome> suitable(String source, @Nullable String value) {
        if (value == null || value.isBlank()) {
            lookedAt.add(source + ": not set");
            return Optional.empty();
        }
        Optional<JavaHome> home = read(value);
        lookedAt.add(source + ": " + value + ", " + describe(home));
        return home.filter(JavaHomeSearch::serves);
    }

    private static Optional<JavaHome> read(String directory) {
        try {
            return JavaHome.read(Path.of(directory));
        } catch (InvalidPathException e) {
            return Optional.empty(); // no path, so no Java home
        }
    }

    private Optional<JavaHome> inUsualPlaces() {
        return usualPlaces.stream().flatMap(this::inPlace).findFirst();
    }

    private Stream<JavaHome> inPlace(Path place) {
        List<JavaHome> homes = entries(place).stream()
                .flatMap(entry -> Stream.of(entry, entry.resolve("Contents/Home")))
                .flatMap(entry -> JavaHome.read(entry).stream())
                .toList();
        lookedAt.add(place + ": "
                + (homes.isEmpty()
                        ? "no Java"
                        : "Java "
                                + homes.stream()
                                        .map(JavaHome::feature)
                                        .distinct()
                                        .toList()));
        return homes.stream().filter(JavaHomeSearch::serves);
    }

    private static List<Path> entries(Path place) {
        if (!Files.isDirectory(place)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(place)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            return List.of(); // a directory without permission to read offers nothing
        }
    }

    private LocalCassandraException notFound() {
        return new LocalCassandraException("Cassandra needs a JDK " + NEEDED
                + " (it does not run on later ones) and none was found. Looked at:\n  - "
                + String.join("\n  - ", lookedAt)
                + "\nInstall a JDK " + NEEDED + " beside the JDK of your application. Or name an installed JDK by -D"
                + PROPERTY + "=<directory> or by the environment variable " + VARIABLE + ".");
    }

    private static boolean serves(JavaHome home) {
        return home.feature() == NEEDED;
    }

    private static String describe(Optional<JavaHome> home) {
        return home.map(found -> "Java " + found.feature()).orElse("not a Java home with a release file");
    }
}
