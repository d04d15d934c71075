package io.github.cassandralock.benchmarks.startup;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The class path of this program. */
public final class ProgramClassPath {

    private static final String CLASSES = "BOOT-INF/classes/";

    private static final String LIBRARIES = "BOOT-INF/lib/";

    /** The published modules, as jars and in a build. */
    private static final Predicate<String> PUBLISHED = Pattern.compile(
                    ".*/(cassandra-lock-[a-z-]+|exactly-once[a-z-]*|startup-support)(-[0-9][^/]*jar|/target/classes)")
            .asMatchPredicate();

    private ProgramClassPath() {}

    /**
     * Returns the class path of this program.
     *
     * @param unpacked where this program is unpacked if it is one jar
     */
    static List<Path> present(Path unpacked) throws IOException {
        List<Path> all = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(path -> Path.of(path).toAbsolutePath())
                .toList();
        return all.size() > 1 ? all : unpack(all.get(0), unpacked);
    }

    /**
     * Returns the class path of this program, with the published modules of another version in place of the present ones.
     *
     * @param other this program in another version, as one jar
     * @param unpacked where both programs are unpacked
     */
    public static List<Path> withLocksOf(Path other, Path unpacked) throws IOException {
        List<Path> published = unpack(other, unpacked.resolve("other")).stream()
                .filter(ProgramClassPath::isPublished)
                .toList();
        Stream<Path> others = present(unpacked.resolve("present")).stream().filter(path -> !isPublished(path));
        return Stream.concat(others, published.stream()).toList();
    }

    /** Whether the file is this program in some version, as one jar. */
    public static boolean isProgram(Path file) {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream().map(JarEntry::getName).anyMatch(PUBLISHED);
        } catch (IOException e) {
            return false; // there is no such file, or it is no jar
        }
    }

    private static boolean isPublished(Path path) {
        return PUBLISHED.test(path.toString());
    }

    private static List<Path> unpack(Path program, Path unpacked) throws IOException {
        List<Path> all = new ArrayList<>(List.of(unpacked.resolve(CLASSES)));
        try (JarFile jar = new JarFile(program.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                boolean isLibrary = entry.getName().startsWith(LIBRARIES);
                if (!entry.isDirectory() && (isLibrary || entry.getName().startsWith(CLASSES))) {
                    Path file = copied(jar, entry, unpacked);
                    if (isLibrary) {
                        all.add(file);
                    }
                }
            }
        }
        return all;
    }

    private static Path copied(JarFile jar, JarEntry entry, Path unpacked) throws IOException {
        Path file = unpacked.resolve(entry.getName());
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }
}
