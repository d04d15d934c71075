package io.github.cassandralock.benchmarks.report;

import io.github.cassandralock.local.LocalCassandra;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names and versions of what is measured. */
final class Software {

    private static final Pattern LIBRARY = Pattern.compile(
            ".*?((?:java-driver-core|curator-recipes|redisson|shedlock-provider-cassandra|jetcd-core|spring-integration-jdbc)"
                    + "-[0-9][^/\\\\]*)\\.jar");

    private static final List<String> PACKAGES = List.of("zookeeper", "redis-server", "etcd-server", "postgresql");

    private Software() {}

    /** Cassandra, the libraries of the clients, and the peers' servers, as far as Debian's package manager lists them. */
    static List<String> versions() {
        return Stream.of(Stream.of(cassandra()), libraries(), packages())
                .flatMap(names -> names)
                .toList();
    }

    private static String cassandra() {
        Properties properties = new Properties();
        try (InputStream in = LocalCassandra.class.getResourceAsStream("cassandra.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return "Cassandra " + properties.getProperty("version");
    }

    private static Stream<String> libraries() {
        return jars().map(LIBRARY::matcher)
                .filter(matcher -> matcher.matches())
                .map(matcher -> matcher.group(1))
                .sorted();
    }

    /** The class path, or what is in the program's one jar. */
    private static Stream<String> jars() {
        List<String> paths = Arrays.asList(System.getProperty("java.class.path").split(File.pathSeparator));
        if (paths.size() > 1) {
            return paths.stream();
        }
        try (JarFile jar = new JarFile(Path.of(paths.get(0)).toFile())) {
            return jar.stream().map(entry -> entry.getName()).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> packages() {
        return PACKAGES.stream().map(Software::packageVersion).filter(text -> !text.isEmpty());
    }

    private static String packageVersion(String name) {
        try {
            Process query = new ProcessBuilder("dpkg-query", "--show", "--showformat=${Package} ${Version}", name)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(query.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return ""; // no Debian
        }
    }
}
